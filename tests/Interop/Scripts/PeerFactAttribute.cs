namespace Gateway.Interop.Scripts;

/// <summary>A test that needs node-opcua: shown as skipped where that is missing; with CI=true it runs and fails.
/// </summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class PeerFactAttribute : FactAttribute
{
    public PeerFactAttribute() => Skip = PeerRequirement.Reason;
}
