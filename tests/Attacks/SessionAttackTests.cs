namespace Gateway.Attacks;

/// <summary>What clients with a session try.</summary>
public sealed class SessionAttackTests : AttackTests
{
    internal static readonly string[] Themes = ["Work", "Hoards", "Memory"];

    public static TheoryData<string> Names => Of(Themes);

    [Theory]
    [MemberData(nameof(Names))]
    public Task Attack_SmallSize_GatewaySurvives(string name) => SurvivesAsync(name);
}
