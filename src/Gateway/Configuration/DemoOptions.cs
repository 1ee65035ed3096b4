namespace Gateway.Host.Configuration;

/// <summary><c>--demo</c> or <c>Demo=true</c>: None, AutoTrust and an anonymous operator, for a first look.</summary>
/// <param name="IsDemo">Default false.</param>
internal sealed record DemoOptions(bool IsDemo)
{
    public const string Key = "Demo";
}
