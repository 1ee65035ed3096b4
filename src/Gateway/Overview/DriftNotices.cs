using Gateway.Rest.Overview;
using Gateway.Sources;
using Gateway.Sources.Upstreams;

namespace Gateway.Host.Overview;

/// <summary>Upstreams whose model is not the one that an operator knows.</summary>
/// <param name="drivers">Made later: the paths are mapped before drivers start.</param>
internal sealed class DriftNotices(Lazy<SourceDrivers> drivers) : INoticeSource
{
    public const string Kind = "drift";

    private const string Remedy =
        "Compare with what was loaded into the controller. Mend the clients and settings that use ids which are gone "
        + "or mean another thing. Then accept the model on the page Upstreams.";

    public IEnumerable<Notice> Read()
    {
        foreach (var report in drivers.Value.Upstreams())
        {
            if (report.Drift is { } drift)
                yield return Of(report.Name, drift);
        }
    }

    internal static Notice Of(string upstream, DriftReport drift) => new(
        Kind, upstream, drift.IsDangerous, $"The model of {upstream} has changed: {drift.Words}.", Remedy)
    {
        Since = drift.Since.UtcDateTime,
        // The words name nodes, and not everybody may see each of them.
        PublicWords = $"The model of {upstream} has changed.",
    };
}
