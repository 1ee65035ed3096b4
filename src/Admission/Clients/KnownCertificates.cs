using System.Globalization;

namespace Gateway.Admission.Clients;

/// <summary>Certificates whose sessions were active before: thumbprint and the day. Bounded: the one not seen for the
/// longest is forgotten. Kept over restarts as lines <c>thumbprint yyyy-MM-dd</c>. Threads: any; its lock is a leaf.
/// </summary>
public sealed class KnownCertificates(int limit)
{
    private readonly Lock _lock = new();
    private readonly Dictionary<string, LinkedListNode<(string Thumbprint, DateOnly Day)>> _nodes =
        new(StringComparer.Ordinal);

    /// <summary>Oldest first.</summary>
    private readonly LinkedList<(string Thumbprint, DateOnly Day)> _order = new();

    public int Count
    {
        get
        {
            lock (_lock)
                return _nodes.Count;
        }
    }

    /// <summary>Since the last <see cref="SaveAsync"/>.</summary>
    public bool IsChanged { get; private set; }

    public bool IsKnown(string thumbprint)
    {
        lock (_lock)
            return _nodes.ContainsKey(thumbprint);
    }

    public void MarkActive(string thumbprint, DateOnly day)
    {
        if (thumbprint.Length == 0)
            return;
        lock (_lock)
        {
            if (_nodes.Remove(thumbprint, out var node))
            {
                IsChanged |= node.Value.Day != day;
                _order.Remove(node);
            }
            else
            {
                IsChanged = true;
            }

            _nodes[thumbprint] = _order.AddLast((thumbprint, day));
            if (_nodes.Count <= limit)
                return;
            _nodes.Remove(_order.First!.Value.Thumbprint);
            _order.RemoveFirst();
        }
    }

    public async Task SaveAsync(TextWriter writer)
    {
        (string, DateOnly)[] all;
        lock (_lock)
        {
            all = [.. _order];
            IsChanged = false;
        }

        foreach (var (thumbprint, day) in all)
            await writer.WriteLineAsync(
                string.Create(CultureInfo.InvariantCulture, $"{thumbprint} {day:yyyy-MM-dd}")).ConfigureAwait(false);
    }
}
