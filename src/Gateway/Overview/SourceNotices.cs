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

    internal static Notice Of(SourceReport report)
    {
        var words = report.State switch
        {
            SourceState.Limited => $"{report.Name} is served in part: a limit left nodes out",
            SourceState.Connecting => $"{report.Name} has not been reached since the start",
            SourceState.Faulted => $"The gateway refuses {report.Name}",
            SourceState.Stopped => $"{report.Name} is not started",
            _ => $"{report.Name} is away",
        };
        var cause = report is { State: not SourceState.Stopped, LastError: { Length: > 0 } error } ? $": {error}" : ".";
        return new Notice(
            "source", report.Name, report.State != SourceState.Limited, words + cause, report.Remedy ?? "")
        {
            Since = report.Since.UtcDateTime,
            PublicWords = words + ".",
        };
    }
}
