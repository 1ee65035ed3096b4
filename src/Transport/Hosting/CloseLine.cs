using System.Collections;
using System.Net;
using System.Text;

namespace Gateway.Transport.Hosting;

/// <summary>The log line of a connection's end: fields for JSON readers, a sentence of them for readers of text.
/// Unknown fields are left out of both.</summary>
internal sealed class CloseLine : IReadOnlyList<KeyValuePair<string, object?>>
{
    private readonly List<KeyValuePair<string, object?>> _fields = [];
    private readonly StringBuilder _text = new("Connection");

    /// <summary>Texts are escaped and cut.</summary>
    public CloseLine(
        EndPoint? remote, string endpointUrl, string thumbprint, ChannelCloseReason reason, string detail)
    {
        Add("Remote", " of ", remote);
        Add("EndpointUrl", " for ", endpointUrl);
        Add("Thumbprint", " with certificate ", thumbprint);
        Add("Reason", " ended: ", reason);
        Add("Detail", ". ", detail);
        _fields.Add(new("{OriginalFormat}", "Connection ended"));
    }

    public int Count => _fields.Count;

    public KeyValuePair<string, object?> this[int index] => _fields[index];

    public IEnumerator<KeyValuePair<string, object?>> GetEnumerator() => _fields.GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    public override string ToString() => _text.ToString();

    private void Add(string field, string words, object? value)
    {
        if (value is null or "")
            return;
        _fields.Add(new(field, value));
        _text.Append(words).Append(value);
    }
}
