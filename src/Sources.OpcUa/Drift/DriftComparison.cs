using Gateway.Codec.Text;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Browsing;
using Gateway.Sources.Upstreams;

namespace Gateway.Sources.OpcUa.Drift;

/// <summary>
/// The model that an operator knows against the one of a browse. Certain is one thing only: an instance whose id is
/// gone, and one new node with the same browse path and the same type, each the only one of its path. Nodes that have
/// come are no change, and are remembered from now on as far as there is room. Owner: one check.
/// </summary>
internal sealed class DriftComparison(RememberedModel before, ModelSnapshot now)
{
    /// <summary>That a report has of each kind.</summary>
    private const int MostTold = 20;

    private readonly Dictionary<DriftKind, int> _counts = [];
    private readonly List<DriftChange> _changes = [];
    private readonly List<RememberedNode> _next = [];
    private readonly List<RememberedNode> _gone = [];
    private readonly HashSet<NodeId> _remembered = [];
    private readonly List<NodeAlias> _remapped = [];

    public IReadOnlyList<NodeAlias> Remapped => _remapped;

    public void Run()
    {
        CompareNamespaces();
        foreach (var old in before.Nodes)
            Compare(old);
        if (_gone.Count > 0)
            Remap();
        Extend();
    }

    /// <summary>Changed is what it was, until an operator accepts it.</summary>
    public RememberedModel Next(DateTimeOffset at, NodeAlias[] aliases) => before with
    {
        Namespaces = before.Namespaces.SequenceEqual(now.Uris.Take(before.Namespaces.Length))
            ? now.Uris
            : before.Namespaces,
        Nodes = [.. _next],
        Aliases = aliases,
        Since = _counts.Count == 0 ? null : before.Since ?? at,
        Counts = [.. _counts.OrderBy(static one => one.Key).Select(static one => new DriftCount(one.Key, one.Value))],
        Changes = [.. _changes.OrderBy(static one => one.Kind)],
    };

    /// <summary>The present model.</summary>
    public RememberedModel Accepted(NodeAlias[] aliases) => before with
    {
        Namespaces = now.Uris,
        Nodes = [.. now.Guarded.Take(DriftGuard.MaxNodes).Select(now.Remember)],
        Aliases = aliases,
        Since = null,
        Counts = [],
        Changes = [],
    };

    /// <summary>The present model where a browse saw a part of it: the rest is as it was, and a node that is gone is
    /// told again when the whole is seen. Without a run.</summary>
    public RememberedModel AcceptedInPart() => before with
    {
        Namespaces = now.Uris,
        Nodes = Array.ConvertAll(
            before.Nodes, old => now.Find(old.Id) is { } node ? Present(node, old) : old),
        Since = null,
        Counts = [],
        Changes = [],
    };

    /// <summary>Facts that the upstream did not say, this time, are as they were.</summary>
    private RememberedNode Present(BrowsedNode node, RememberedNode old)
    {
        var present = now.Remember(node);
        return present.Facts.Length > 0 ? present : present with { Facts = old.Facts };
    }

    private void CompareNamespaces()
    {
        for (var i = 1; i < before.Namespaces.Length; i++)
        {
            var uri = before.Namespaces[i];
            var at = Array.IndexOf(now.Uris, uri);
            // Index 1 is the server's own: those of a redundant set differ in it. Nodes in it are told by themselves.
            if (uri.Length == 0 || at == i || (at < 0 && i == 1))
                continue;
            if (at < 0)
                Add(DriftKind.NamespaceGone, uri, $"index {i}", "");
            else
                Add(DriftKind.NamespaceMoved, uri, $"index {i}", $"index {at}");
        }
    }

    private void Compare(RememberedNode old)
    {
        if (now.Find(old.Id) is not { } node)
        {
            _gone.Add(old);
            _next.Add(old);
            return;
        }

        _remembered.Add(node.Id);
        var present = now.Remember(node);
        if (present.Name != old.Name)
            Add(DriftKind.Renamed, old.Id, old.Name, present.Name);
        else if (present.Facts != old.Facts && present.Facts.Length > 0 && old.Facts.Length > 0)
            Add(DriftKind.Retyped, old.Id, $"{old.Name}: {old.Facts}", present.Facts);
        else
        {
            _next.Add(Present(node, old));
            return;
        }

        _next.Add(old);
    }

    private void Remap()
    {
        var paths = _gone.Where(static old => old.Path.Length > 0).CountBy(static old => old.Path)
            .ToDictionary(StringComparer.Ordinal);
        var there = new Dictionary<string, (BrowsedNode Node, int Count)>(StringComparer.Ordinal);
        foreach (var node in now.Guarded)
        {
            var path = paths.Count == 0 ? "" : now.PathOf(node);
            if (paths.ContainsKey(path))
                there[path] = (node, there.GetValueOrDefault(path).Count + 1);
        }

        foreach (var old in _gone)
        {
            var isOne = paths.GetValueOrDefault(old.Path) == 1 &&
                there.TryGetValue(old.Path, out var found) && found.Count == 1;
            var node = isOne ? there[old.Path].Node : null;
            if (node is null || _remembered.Contains(node.Id) || old.Facts.Length == 0 ||
                now.Remember(node) is not { } present || present.Facts != old.Facts)
            {
                Add(DriftKind.Gone, old.Id, old.Name, "");
                continue;
            }

            _remapped.Add(new NodeAlias(old.Id, present.Id));
            // Not remembered under its new id before an operator has accepted it.
            _remembered.Add(node.Id);
            Add(DriftKind.Remapped, old.Id, now.PathInWords(node), present.Id);
        }
    }

    private void Extend()
    {
        foreach (var node in now.Guarded)
        {
            if (_next.Count >= DriftGuard.MaxNodes)
                return;
            if (_remembered.Add(node.Id))
                _next.Add(now.Remember(node));
        }
    }

    private void Add(DriftKind kind, string node, string was, string present)
    {
        var count = _counts[kind] = _counts.GetValueOrDefault(kind) + 1;
        if (count <= MostTold)
            _changes.Add(new DriftChange(
                kind, PeerText.Escape(node), PeerText.Escape(was), PeerText.Escape(present)));
    }
}
