from menuboard import add_allergen, make_day, make_week, set_price, sold_out
from menuboard.days import find


def template():
    return {
        "closed": False,
        "dishes": [
            {"name": "soup", "price": 420, "allergens": ["celery"]},
            {"name": "rice", "price": 680, "allergens": []},
        ],
    }


def test_price_leaves_the_template():
    normal = template()
    set_price(make_day(normal, "mon"), "soup", 1)
    assert normal["dishes"][0]["price"] == 420


def test_price_leaves_the_other_days():
    week = make_week(template(), ["mon", "tue", "wed"])
    set_price(week["tue"], "soup", 1)
    assert [find(day, "soup")["price"] for day in week.values()] == [420, 1, 420]


def test_allergen_leaves_the_template():
    normal = template()
    add_allergen(make_day(normal, "mon"), "soup", "milk")
    assert normal["dishes"][0]["allergens"] == ["celery"]


def test_allergen_leaves_the_other_days():
    week = make_week(template(), ["mon", "tue"])
    add_allergen(week["mon"], "rice", "milk")
    assert find(week["mon"], "rice")["allergens"] == ["milk"]
    assert find(week["tue"], "rice")["allergens"] == []


def test_extras_are_not_shared():
    tart = {"name": "tart", "price": 300, "allergens": ["egg"]}
    monday = make_day(template(), "mon", [tart])
    tuesday = make_day(template(), "tue", [tart])
    set_price(monday, "tart", 250)
    add_allergen(monday, "tart", "milk")
    assert find(tuesday, "tart") == {"name": "tart", "price": 300, "allergens": ["egg"]}
    assert tart == {"name": "tart", "price": 300, "allergens": ["egg"]}


def test_day_keeps_what_the_template_says():
    normal = template()
    normal["closed"] = True
    assert make_day(normal, "mon")["closed"] is True


def test_order():
    tart = {"name": "tart", "price": 300, "allergens": []}
    assert [dish["name"] for dish in make_day(template(), "mon", [tart])["dishes"]] == ["soup", "rice", "tart"]


def test_sold_out_leaves_the_template():
    normal = template()
    sold_out(make_day(normal, "mon"), "rice")
    assert len(normal["dishes"]) == 2


def test_days_know_their_names():
    week = make_week(template(), ["mon", "tue"])
    assert [day["name"] for day in week.values()] == ["mon", "tue"]


def test_template_gets_no_name():
    normal = template()
    make_day(normal, "mon")
    assert sorted(normal) == ["closed", "dishes"]
