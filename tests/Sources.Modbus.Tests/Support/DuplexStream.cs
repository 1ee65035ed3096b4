using System.IO.Pipelines;

namespace Gateway.Sources.Modbus.Tests.Support;

/// <summary>One end of a connection in memory.</summary>
internal sealed class DuplexStream(PipeReader input, PipeWriter output) : Stream
{
    private readonly Stream _input = input.AsStream();
    private readonly Stream _output = output.AsStream();

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public static (DuplexStream Gateway, DuplexStream Device) Pair()
    {
        var (up, down) = (new Pipe(), new Pipe());
        return (new DuplexStream(down.Reader, up.Writer), new DuplexStream(up.Reader, down.Writer));
    }

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) =>
        _input.ReadAsync(buffer, cancellationToken);

    public override ValueTask WriteAsync(
        ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default) =>
        _output.WriteAsync(buffer, cancellationToken);

    public override void Flush()
    {
    }

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            _input.Dispose();
            _output.Dispose();
        }

        base.Dispose(disposing);
    }
}
