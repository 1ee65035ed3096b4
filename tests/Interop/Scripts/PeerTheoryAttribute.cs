namespace Gateway.Interop.Scripts;

/// <summary>As <see cref="PeerFactAttribute"/>, with data.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class PeerTheoryAttribute : TheoryAttribute
{
    public PeerTheoryAttribute(PeerProgram program = PeerProgram.NodeOpcUa) =>
        Skip = PeerRequirement.ReasonOf(program);
}
