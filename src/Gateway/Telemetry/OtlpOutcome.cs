using OpenTelemetry;

namespace Gateway.Host.Telemetry;

/// <summary>The outcome of the batches of one signal. The log gets a line when the collector begins to refuse, and one
/// when it takes again. One batch at a time, on a thread of the SDK's.</summary>
internal sealed class OtlpOutcome(OtlpSignal signal, OtlpTeller teller)
{
    private bool _isAway;

    /// <summary>They wait no longer.</summary>
    public void Leave(long count) => signal.Leave(count);

    public ExportResult End(long count, ExportResult result)
    {
        var isTaken = result == ExportResult.Success;
        signal.End(count, isTaken);
        if (_isAway != isTaken)
            return result;
        _isAway = !isTaken;
        teller.Tell(signal.Name, _isAway);
        return result;
    }
}
