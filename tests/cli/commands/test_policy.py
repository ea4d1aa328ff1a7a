"""U-1: policy explain TOOL ARGS: which rule decided, file:line."""

from __future__ import annotations


def line(shop, text: str) -> int:
    """The line of the policy that holds `text`."""
    lines = (shop / "tools/policy.yaml").read_text().splitlines()
    return next(number for number, each in enumerate(lines, 1) if text in each)


def test_a_call_within_the_rules_is_allowed_by_name(shop, toolcrib):
    """U-1: which rule decided."""
    ran = toolcrib(
        "policy", "explain", "shop_stock_count", "--arg", "sku=mug-ink", "--arg", "pieces=9"
    )
    assert ran.code == 0, ran.out + ran.err
    assert "shop_stock_count: allowed" in ran.out
    assert f"tools/policy.yaml:{line(shop, 'shop_stock_count')}" in ran.out


def test_a_value_out_of_bounds_names_the_line_of_the_rule(shop, toolcrib):
    """U-1, C-7: file:line."""
    ran = toolcrib(
        "policy", "explain", "shop_stock_count", '{"sku": "mug-ink", "pieces": 900}', "--json"
    )
    assert ran.code == 1
    (no,) = [each for each in ran.json["decisions"] if not each["allows"]]
    assert no["rule"] == "tools.shop_stock_count.args.pieces"
    assert (no["file"], no["line"]) == ("tools/policy.yaml", line(shop, "pieces:"))
    assert "at most 500" in no["why"]


def test_what_the_policy_does_not_name_is_decided_by_its_default(shop, toolcrib):
    """U-1, C-7: default: disabled."""
    ran = toolcrib("policy", "explain", "shop_orders_advance")
    assert ran.code == 1
    assert f"default: disabled  tools/policy.yaml:{line(shop, 'default: disabled')}" in ran.out


def test_arguments_that_the_tool_itself_refuses_are_told_too(shop, toolcrib):
    """U-1: the whole answer at once."""
    ran = toolcrib("policy", "explain", "shop_stock_count", "--arg", "pieces=many")
    assert ran.code == 1 and "Missing required argument 'sku'" in ran.out


def test_without_a_policy_everything_configured_may_be_called(shop, toolcrib):
    """U-1: and it says why."""
    (shop / "tools" / "policy.yaml").unlink()
    (shop / "toolcrib.toml").write_text('[climax]\nconfigs = ["tools/shop.yaml"]\n')
    ran = toolcrib("policy", "explain", "shop_stock_list")
    assert ran.code == 0 and "no policy" in ran.out


def test_an_unknown_tool_names_the_nearest(shop, toolcrib):
    """U-1: nearest names."""
    ran = toolcrib("policy", "explain", "shop_stock_lits")
    assert ran.code == 1 and "shop_stock_list" in ran.err


def test_a_value_that_serving_would_refuse_as_unsafe_is_not_called_allowed(shop, toolcrib):
    """U-1, C-10: the explanation never says yes where the call says no."""
    (shop / "open.yaml").write_text("tools: {shop_stock_count: }\n")
    ran = toolcrib(
        "policy",
        "explain",
        "shop_stock_count",
        '{"sku": "-x"}',
        "--policy",
        str(shop / "open.yaml"),
    )
    assert ran.code == 1 and "must not begin with '-'" in ran.out
