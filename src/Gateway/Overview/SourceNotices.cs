using Gateway.Rest.Overview;
using Gateway.Sources;

namespace Gateway.Host.Overview;

/// <summary>Sources that do not deliver, or not all.</summary>
/// <param name="drivers">Made later: the paths are mapped before drivers start.</param>
internal sealed class SourceNotices(Lazy<SourceDrivers> drivers) : INoticeSource
{
    public IEnumerable<Notice> Read() =>
        from report in drivers.Value.Names.SelectMany(drivers.Value.Report)
        where report.State is not (SourceState.Online or SourceState.Loading)
        select Of(report);

    private static Notice Of(SourceReport report)
    {
        var cause = report.LastError is { Length: > 0 } error ? $": {error}" : ".";
        var words = report.State switch
        {
            SourceState.Limited => $"{report.Name} is served in part: a limit left nodes out{cause}",
            SourceState.Connecting => $"{report.Name} has not been reached since the start{cause}",
            SourceState.Faulted => $"The gateway refuses {report.Name}{cause}",
            SourceState.Stopped => $"{report.Name} is not started.",
            _ => $"{report.Name} is away{cause}",
        };
        return new Notice("source", report.Name, report.State != SourceState.Limited, words, report.Remedy ?? "")
        {
            Since = report.Since.UtcDateTime,
        };
    }
}
