using System.Globalization;
using System.Text;

namespace Gateway.Admission.Clients;

/// <summary>Certificates whose sessions were active before: thumbprint and the day. Bounded: the one not seen for the
/// most days is forgotten. Kept over restarts as lines <c>thumbprint yyyy-MM-dd</c>. Threads: any; its lock is a leaf.
/// </summary>
public sealed class KnownCertificates(int limit)
{
    private const string DayFormat = "yyyy-MM-dd";
    private const int MaxLineLength = 256;

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
            if (MarkUnderLock(thumbprint, day))
                IsChanged = true;
        }
    }

    /// <summary>Takes in the saved ones, oldest first; of more than the limit the last.</summary>
    /// <returns>Lines that say nothing: damaged ones.</returns>
    public int Load(TextReader reader)
    {
        var damaged = 0;
        var line = new StringBuilder();
        while (TryReadLine(reader, line))
        {
            if (line.Length == 0)
                continue;
            if (!TryParse(line.ToString(), out var thumbprint, out var day))
            {
                damaged++;
                continue;
            }

            lock (_lock)
                MarkUnderLock(thumbprint, day);
        }

        return damaged;
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

    /// <summary>In a storm nearly all were marked today already.</summary>
    private bool MarkUnderLock(string thumbprint, DateOnly day)
    {
        if (_nodes.TryGetValue(thumbprint, out var node))
        {
            if (node.Value.Day == day)
                return false;
            _order.Remove(node);
        }

        _nodes[thumbprint] = _order.AddLast((thumbprint, day));
        if (_nodes.Count > limit)
        {
            _nodes.Remove(_order.First!.Value.Thumbprint);
            _order.RemoveFirst();
        }

        return true;
    }

    /// <summary>A line that is too long is cut, so that a file which is not ours costs no memory.</summary>
    private static bool TryReadLine(TextReader reader, StringBuilder line)
    {
        line.Clear();
        var c = reader.Read();
        if (c < 0)
            return false;
        for (; c >= 0 && c != '\n'; c = reader.Read())
        {
            if (c != '\r' && line.Length < MaxLineLength)
                line.Append((char)c);
        }

        return true;
    }

    private static bool TryParse(string line, out string thumbprint, out DateOnly day)
    {
        day = default;
        var space = line.IndexOf(' ', StringComparison.Ordinal);
        thumbprint = space > 0 ? line[..space] : "";
        return thumbprint.Length is >= 40 and <= 128 && thumbprint.All(char.IsAsciiHexDigit) &&
            DateOnly.TryParseExact(
                line.AsSpan(space + 1), DayFormat, CultureInfo.InvariantCulture, DateTimeStyles.None, out day);
    }
}
