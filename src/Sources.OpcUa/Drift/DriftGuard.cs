using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Browsing;
using Gateway.Sources.Upstreams;
using Microsoft.Extensions.Logging;

namespace Gateway.Sources.OpcUa.Drift;

/// <summary>
/// Tells how an upstream's model differs from the one that an operator knows, for instance after a download, also where
/// that was while the gateway was stopped; and keeps the old ids of nodes that are certainly the same
/// (docs/upstreams.md#a-changed-controller). The changes stay until they are accepted or undone. Threads: the
/// connector's loop checks, any accepts.
/// </summary>
internal sealed partial class DriftGuard(string upstream, DriftStore store, TimeProvider time, ILogger log)
{
    /// <summary>Remembered of one upstream; a line of some hundred bytes each in the file.</summary>
    public const int MaxNodes = 20_000;

    private readonly ILogger _log = log;
    private readonly Lock _lock = new();
    private volatile DriftReport? _report;
    private RememberedModel? _accepted;
    private NodeAlias[]? _aliases;
    private bool _isChecked;

    /// <summary>Null: nothing has changed.</summary>
    public DriftReport? Report => _report;

    /// <summary>At the start: what the process before has told goes on. Until the first browse nobody can say that it
    /// is over.</summary>
    public void Restore()
    {
        lock (_lock)
            _report ??= store.Read(upstream)?.Report;
    }

    /// <summary>Of the nodes of a browse, before they are taken over.</summary>
    /// <param name="space">Of the browse.</param>
    /// <param name="uris">The NamespaceArray.</param>
    /// <param name="scope">The configured roots.</param>
    /// <returns>Old ids to be served on.</returns>
    public IReadOnlyList<(NodeId Was, NodeId Is)> Check(BrowsedSpace space, string[] uris, string scope)
    {
        lock (_lock)
        {
            // A node behind a limit, or where the browse was refused, is not gone.
            if (space.Unbrowsed + space.Skipped > 0)
            {
                SeePartUnderLock(space, uris);
                return ParsedUnderLock(uris);
            }

            var (now, known) = (new ModelSnapshot(space, uris), store.Read(upstream));
            var before = known is not null && known.Scope == scope
                ? known
                : new RememberedModel { Upstream = upstream, Scope = scope, Namespaces = uris, Nodes = [] };
            var comparison = new DriftComparison(before, now);
            comparison.Run();
            _aliases = Aliases(before, now, comparison.Remapped);
            var at = time.GetUtcNow();
            var next = comparison.Next(at, _aliases);
            if (known is null || !IsSame(known, next))
                store.Write(next);
            var report = next.Report;
            _accepted = report is null ? null : comparison.Accepted(_aliases);
            Tell(_report, report);
            (_report, _isChecked) = (report, true);
            return ParsedUnderLock(uris);
        }
    }

    /// <summary>Each browse may be cut: what the process before has told can be accepted all the same, as far as it is
    /// seen.</summary>
    private void SeePartUnderLock(BrowsedSpace space, string[] uris)
    {
        if (_isChecked || store.Read(upstream) is not { Since: not null } told)
            return;
        _accepted = new DriftComparison(told, new ModelSnapshot(space, uris)).AcceptedInPart();
        _isChecked = true;
    }

    /// <summary>Old ids that were served on until now, for a session before its browse.</summary>
    public IReadOnlyList<(NodeId Was, NodeId Is)> Known(string[] uris)
    {
        lock (_lock)
        {
            _aliases ??= store.Read(upstream)?.Aliases ?? [];
            return ParsedUnderLock(uris);
        }
    }

    /// <summary>An operator knows the present model. The old ids that are served on stay.</summary>
    public DriftAcceptance Accept()
    {
        lock (_lock)
        {
            if (!_isChecked)
                return DriftAcceptance.TooEarly;
            if (_accepted is null)
                return DriftAcceptance.Unchanged;
            store.Write(_accepted);
            (_accepted, _report) = (null, null);
            Accepted(upstream);
            return DriftAcceptance.Accepted;
        }
    }

    /// <summary>Those of before whose old id has not come back and whose node is there, and the new ones.</summary>
    private static NodeAlias[] Aliases(
        RememberedModel before, ModelSnapshot now, IReadOnlyList<NodeAlias> remapped)
    {
        var aliases = remapped.ToDictionary(static one => one.Was, static one => one.Is, StringComparer.Ordinal);
        foreach (var (was, id) in before.Aliases)
        {
            var present = aliases.GetValueOrDefault(id, id);
            if (aliases.Count < MaxNodes && now.Find(was) is null && now.Find(present) is not null)
                aliases.TryAdd(was, present);
        }

        return [.. aliases.Select(static one => new NodeAlias(one.Key, one.Value))];
    }

    private List<(NodeId Was, NodeId Is)> ParsedUnderLock(string[] uris)
    {
        var parsed = new List<(NodeId, NodeId)>();
        foreach (var (was, present) in _aliases ?? [])
        {
            if (NodeIdText.TryParse(was, uris, out var from) && NodeIdText.TryParse(present, uris, out var to))
                parsed.Add((from, to));
        }

        return parsed;
    }

    private static bool IsSame(RememberedModel one, RememberedModel other) =>
        one.Scope == other.Scope && one.Since == other.Since && one.Namespaces.SequenceEqual(other.Namespaces) &&
        one.Aliases.SequenceEqual(other.Aliases) && one.Counts.SequenceEqual(other.Counts) &&
        one.Changes.SequenceEqual(other.Changes) && one.Nodes.SequenceEqual(other.Nodes);

    /// <summary>Each change of the changes once, not each browse.</summary>
    private void Tell(DriftReport? before, DriftReport? report)
    {
        if (report is not null && !(before?.Counts.SequenceEqual(report.Counts) ?? false))
            Drifted(upstream, report.Words);
        else if (report is null && before is not null)
            Undone(upstream);
    }

    [LoggerMessage(5068, LogLevel.Warning,
        "Upstream {Upstream} is not as it was: {Changes}. Accept it when clients are in order with it")]
    private partial void Drifted(string upstream, string changes);

    [LoggerMessage(5069, LogLevel.Information, "Upstream {Upstream}: its changed model is accepted")]
    private partial void Accepted(string upstream);

    [LoggerMessage(5072, LogLevel.Information, "Upstream {Upstream} is as it was before")]
    private partial void Undone(string upstream);
}
