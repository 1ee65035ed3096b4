using System.Buffers.Binary;

namespace Gateway.Testing;

/// <summary>The stream below a server's WebSocket: its client sends the same masked text frame for ever and takes all
/// that it gets. No socket and no wait, so that only the work on a message is measured.</summary>
internal sealed class EndlessFrames : Stream
{
    private readonly byte[] _frame;
    private int _at;

    public EndlessFrames(ReadOnlySpan<byte> text)
    {
        // FIN and text; a mask of zeros leaves the text as it is.
        Span<byte> header = stackalloc byte[14];
        header.Clear();
        header[0] = 0x81;
        var length = 2;
        if (text.Length < 126)
        {
            header[1] = (byte)(0x80 | text.Length);
        }
        else if (text.Length <= ushort.MaxValue)
        {
            header[1] = 0x80 | 126;
            BinaryPrimitives.WriteUInt16BigEndian(header[2..], (ushort)text.Length);
            length += sizeof(ushort);
        }
        else
        {
            header[1] = 0x80 | 127;
            BinaryPrimitives.WriteUInt64BigEndian(header[2..], (ulong)text.Length);
            length += sizeof(ulong);
        }

        _frame = [.. header[..(length + 4)], .. text];
    }

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        var count = Math.Min(buffer.Length, _frame.Length - _at);
        _frame.AsSpan(_at, count).CopyTo(buffer.Span);
        _at = (_at + count) % _frame.Length;
        return ValueTask.FromResult(count);
    }

    public override ValueTask WriteAsync(
        ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default) => default;

    public override Task FlushAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public override void Flush()
    {
    }

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();
}
