using System.Globalization;
using System.Text;

namespace Gateway.Loadtest.Scenarios.Rest;

/// <summary>Writes a counter to a variable of its own: each value is its predecessor plus one. The digits are replaced
/// where they stand.</summary>
internal sealed class WriteLoad : IRestLoad
{
    private const int Ok = 200;
    private const int Digits = 10;
    private const long First = 1_000_000_000;

    private readonly byte[] _request;
    private readonly int _at;
    private long _value = First;

    public WriteLoad(HttpTarget target, string node)
    {
        Node = node;
        var place = First.ToString(CultureInfo.InvariantCulture);
        _request = target.Send("PUT", "/values", $"{{\"values\":[{{\"node\":\"{node}\",\"value\":{place}}}]}}");
        _at = _request.AsSpan().LastIndexOf(Encoding.ASCII.GetBytes(place));
    }

    public string Node { get; }

    /// <summary>The last that was sent.</summary>
    public double Value => _value;

    public ReadOnlyMemory<byte> Next()
    {
        _value++;
        _value.TryFormat(_request.AsSpan(_at, Digits), out _, provider: CultureInfo.InvariantCulture);
        return _request;
    }

    public bool Check(HttpWire answer) =>
        answer.Status == Ok && answer.RawBody.IndexOf("\"status\":\"Good\""u8) > 0;
}
