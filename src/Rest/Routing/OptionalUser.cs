namespace Gateway.Rest.Routing;

/// <summary>Marks an endpoint that answers without a user, too: it looks itself whether the host's check has found one.
/// </summary>
public sealed class OptionalUser
{
    public static OptionalUser Instance { get; } = new();
}
