namespace Gateway.Attacks;

/// <summary>What peers try before they have a session.</summary>
public sealed class DoorAttackTests : AttackTests
{
    internal static readonly string[] Themes = ["Wire", "Http", "Sockets", "Certificates", "Words", "Logins"];

    public static TheoryData<string> Names => Of(Themes);

    [Theory]
    [MemberData(nameof(Names))]
    public Task Attack_SmallSize_GatewaySurvives(string name) => SurvivesAsync(name);
}
