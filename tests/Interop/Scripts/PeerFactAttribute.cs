namespace Gateway.Interop.Scripts;

/// <summary>A test that needs a third party's program: shown as skipped where that is missing; with CI=true it runs and
/// fails.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class PeerFactAttribute : FactAttribute
{
    public PeerFactAttribute(PeerProgram program = PeerProgram.NodeOpcUa) =>
        Skip = PeerRequirement.ReasonOf(program);
}
