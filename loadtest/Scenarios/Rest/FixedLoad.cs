using System.Text.Json;

namespace Gateway.Loadtest.Scenarios.Rest;

/// <summary>The same request again and again. Of each answer the status is checked and how often a mark stands in it;
/// the first is read as JSON.</summary>
/// <param name="request">Bytes of the whole.</param>
/// <param name="mark">Empty: none.</param>
/// <param name="marks">How often it has to stand there.</param>
/// <param name="isWhole">Looks at the first answer; null: nothing to look at.</param>
internal sealed class FixedLoad(byte[] request, byte[] mark, int marks, Func<JsonElement, bool>? isWhole) : IRestLoad
{
    private const int Ok = 200;

    private bool _isSeen;

    public ReadOnlyMemory<byte> Next() => request;

    public bool Check(HttpWire answer)
    {
        if (answer.Status != Ok || (mark.Length > 0 && answer.RawBody.Count(mark) != marks && !IsSplit(answer)))
            return false;
        if (_isSeen || isWhole is null)
            return true;
        _isSeen = true;
        using var json = JsonDocument.Parse(answer.ReadBody());
        return isWhole(json.RootElement);
    }

    /// <summary>The line of a chunk stands in the middle of a mark.</summary>
    private bool IsSplit(HttpWire answer) => answer.ReadBody().AsSpan().Count(mark) == marks;
}
