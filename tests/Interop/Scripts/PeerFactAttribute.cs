namespace Gateway.Interop.Scripts;

/// <summary>A test that needs node-opcua. Without it it is shown as skipped, and with CI=true it runs and fails.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class PeerFactAttribute : FactAttribute
{
    public PeerFactAttribute() => Skip = PeerRequirement.Reason;
}
