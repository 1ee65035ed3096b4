using Gateway.Mqtt.Messages;
using Gateway.PubSub.States;
using Gateway.Store;
using Gateway.Transport.Timing;
using Microsoft.Extensions.Logging;

namespace Gateway.PubSub.Outputs;

/// <summary>Tells the log and the broker what a store has lost. A gap leaves the store when the broker has its report.
/// Owner: the output. Threads: a timer, one look at a time; reports: any.</summary>
/// <param name="store">Of the output.</param>
/// <param name="messages">Explain gaps.</param>
/// <param name="publish">To the broker.</param>
/// <param name="time">The clock.</param>
/// <param name="logger">Of the connection.</param>
/// <param name="onRefused">The broker does not take a report.</param>
/// <param name="onFault">Of the gateway's own.</param>
internal sealed partial class GapReporter(
    StoreLog store, IBrokerMessages messages, Func<RetainedMessage, ValueTask<MqttPublishResult>> publish,
    TimeProvider time, ILogger logger, Action<RetainedMessage, MqttPublishOutcome> onRefused,
    Action<Exception> onFault)
{
    /// <summary>For people.</summary>
    private const int KeptReports = 20;

    /// <summary>A gap report that the broker has refused comes again after so long.</summary>
    private static readonly TimeSpan Pause = TimeSpan.FromMinutes(1);

    private readonly HashSet<(long, GapReason)> _told = [];
    private volatile IReadOnlyList<GapReport> _reported = [];
    private long _restsUntil;
    private int _isReporting;

    /// <summary>Those that are not reported yet, and the last ones that are.</summary>
    public IReadOnlyList<GapReport> Read() => [.. store.Gaps.Select(messages.Explain), .. _reported];

    /// <summary>For a timer, while there is a connection. One report at a time.</summary>
    public void Look()
    {
        if (Interlocked.Exchange(ref _isReporting, 1) == 0)
            _ = ReportAllAsync();
    }

    private async Task ReportAllAsync()
    {
        try
        {
            await ReportAsync().ConfigureAwait(false);
        }
#pragma warning disable CA1031 // The gaps stay, and the next look tries again.
        catch (Exception error)
#pragma warning restore CA1031
        {
            Contained.Report(error, onFault);
        }
        finally
        {
            Volatile.Write(ref _isReporting, 0);
        }
    }

    private async Task ReportAsync()
    {
        var gaps = store.Gaps;
        Tell(gaps);
        if (time.GetTimestamp() < _restsUntil)
            return;
        foreach (var gap in gaps)
        {
            var explained = messages.Explain(gap);
            var report = messages.OfGap(explained, time.GetUtcNow().UtcDateTime);
            var result = await publish(report).ConfigureAwait(false);
            if (!result.IsSuccess)
            {
                if (result.Outcome != MqttPublishOutcome.Closed)
                    onRefused(report, result.Outcome);
                _restsUntil = time.GetTimestamp() + (long)(Pause.TotalSeconds * time.TimestampFrequency);
                return;
            }

            store.AcknowledgeGap(gap);
            _reported =
            [
                explained with { ReportedAt = time.GetUtcNow().UtcDateTime }, .. _reported.Take(KeptReports - 1),
            ];
        }
    }

    /// <summary>Each gap once, whether the broker takes its report or not.</summary>
    private void Tell(IReadOnlyList<StoreGap> gaps)
    {
        _told.IntersectWith(gaps.Select(static gap => (gap.From, gap.Reason)));
        foreach (var gap in gaps)
        {
            if (_told.Add((gap.From, gap.Reason)))
                LogGap(logger, gap.Reason, gap.Count, gap.FirstTime, gap.LastTime);
        }
    }

    [LoggerMessage(6105, LogLevel.Error, "PubSub: lost {Count} messages of {From} to {To} ({Reason})")]
    private static partial void LogGap(ILogger logger, GapReason reason, long count, DateTime from, DateTime to);
}
