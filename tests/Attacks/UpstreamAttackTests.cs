using Gateway.Loadtest.Attacks;

namespace Gateway.Attacks;

/// <summary>What a server behind the gateway tries.</summary>
public sealed class UpstreamAttackTests : AttackTests
{
    internal static readonly string[] Themes = ["Upstream"];

    public static TheoryData<string> Names => Of(Themes);

    [Theory]
    [MemberData(nameof(Names))]
    public Task Attack_SmallSize_GatewaySurvives(string name) => SurvivesAsync(name);

    [Fact]
    public void Themes_OfAllAttacks_HaveAClassThatRunsThem() => Assert.Empty(
        AttackList.All.Select(ThemeOf).Except([.. DoorAttackTests.Themes, .. SessionAttackTests.Themes, .. Themes]));
}
