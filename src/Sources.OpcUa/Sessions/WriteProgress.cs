using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Sources.OpcUa.Sessions;

/// <summary>Writes that go in several requests, and how far they are.</summary>
internal sealed class WriteProgress(IReadOnlyList<WriteValue> writes)
{
    private readonly StatusCode[] _results = new StatusCode[writes.Count];

    public IReadOnlyList<WriteValue> Writes => writes;

    public ReadOnlySpan<StatusCode> Results => _results;

    /// <summary>So many have a result.</summary>
    public int Done { get; private set; }

    public void Add(StatusCode[] results)
    {
        results.CopyTo(_results, Done);
        Done += results.Length;
    }

    /// <summary>The others were not sent, or nobody knows what became of them.</summary>
    public void Fail(StatusCode status) => _results.AsSpan(Done).Fill(status);
}
