using Gateway.Operations.Access;
using Gateway.Operations.Work;

namespace Gateway.Operations.Tests;

/// <summary>Each turn follows the one before at once.</summary>
internal sealed class TestTurn : WorkTurn
{
    public static readonly OperationLimits Plenty = new()
    {
        MaxReferencesPerNode = 1000,
        MaxReferencesPerCall = 1000,
        MaxBrowseContinuationPoints = 10,
        MaxNodesPerBrowsePath = 1000,
        MaxWorkPerTurn = 1000,
        MaxWorkPerRequest = 10_000_000,
        MaxAnswerBytesPerRequest = 1_000_000,
    };

    public TestTurn(Caller caller, int maxWork = 10_000_000, int maxWorkPerTurn = 1000)
        : base(Plenty with { MaxWorkPerRequest = maxWork, MaxWorkPerTurn = maxWorkPerTurn }, TimeProvider.System)
    {
        Caller = caller;
        Begin();
    }

    public override Caller Caller { get; }

    public int Turns { get; private set; } = 1;

    public int Refused { get; private set; }

    /// <summary>The next turn comes behind it.</summary>
    public Task Held { get; init; } = Task.CompletedTask;

    public long MaxHeldBytes { get; init; } = long.MaxValue;

    public long HeldBytes { get; private set; }

    public override bool TryHold(long bytes) => (HeldBytes += bytes) <= MaxHeldBytes;

    public override async ValueTask NextAsync()
    {
        await Held;
        Turns++;
        Begin();
    }

    public override void CountRefused() => Refused++;
}
