using Gateway.Codec.Binary;
using Gateway.Rest.Access;

namespace Gateway.Rest.Services;

/// <summary>The time in which one request is decoded: its place in the lane, if it is large, and its memory. Owner: the
/// decoder, which disposes it.</summary>
internal readonly struct DecodeTurn(TurnPlace place, RequestMemory memory) : IDisposable
{
    public DecodeMeter Meter => memory.Meter;

    public void Dispose()
    {
        memory.Dispose();
        place.Dispose();
    }
}
