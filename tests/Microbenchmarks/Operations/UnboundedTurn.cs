using Gateway.Operations;
using Gateway.Operations.Access;
using Gateway.Operations.Work;

namespace Gateway.Microbenchmarks.Operations;

/// <summary>Each turn follows the one before at once, and no work is refused.</summary>
internal sealed class UnboundedTurn : WorkTurn
{
    private static readonly OperationLimits Limits = new()
    {
        MaxReferencesPerNode = 1000,
        MaxReferencesPerCall = 1000,
        MaxBrowseContinuationPoints = 10,
        MaxNodesPerBrowsePath = 1000,
        MaxWorkPerTurn = 20_000,
        MaxWorkPerRequest = int.MaxValue,
        MaxAnswerBytesPerRequest = 1_000_000,
    };

    public UnboundedTurn(Caller caller)
        : base(Limits, TimeProvider.System)
    {
        Caller = caller;
        Begin();
    }

    public override Caller Caller { get; }

    public override ValueTask NextAsync()
    {
        Begin();
        return ValueTask.CompletedTask;
    }

    public override void CountRefused() => throw new InvalidOperationException("Nothing is refused here.");
}
