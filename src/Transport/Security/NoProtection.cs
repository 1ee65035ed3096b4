using System.Buffers.Binary;

namespace Gateway.Transport.Security;

/// <summary>Policy None: the chunk as it is.</summary>
internal sealed class NoProtection : ChunkProtection
{
    public override int MaxTrailerBytes => 0;

    public override int MaxBodyBytes(int chunkSize) => chunkSize - MessageLayout.Headroom;

    public override int Seal(Span<byte> chunk, int bodyEnd)
    {
        BinaryPrimitives.WriteInt32LittleEndian(chunk[MessageLayout.MessageSizeOffset..], bodyEnd);
        return bodyEnd;
    }

    public override bool TryUnseal(Span<byte> chunk, out int bodyEnd)
    {
        bodyEnd = chunk.Length;
        return chunk.Length >= MessageLayout.Headroom;
    }

    public override void Dispose()
    {
    }
}
