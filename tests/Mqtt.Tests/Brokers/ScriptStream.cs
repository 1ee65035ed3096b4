namespace Gateway.Mqtt.Tests.Brokers;

/// <summary>A connection in memory: it gives the bytes of a script, then waits, and does to each write and to its end
/// what a test says.</summary>
internal sealed class ScriptStream(byte[] script) : Stream
{
    private readonly TaskCompletionSource _end = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _position;

    /// <summary>Called with the bytes of each write.</summary>
    public Action<byte[]> Written { get; init; } = _ => { };

    /// <summary>Called at its end.</summary>
    public Action Disposing { get; init; } = () => { };

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override async ValueTask<int> ReadAsync(
        Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (_position == script.Length)
        {
            await _end.Task.WaitAsync(cancellationToken);
            return 0;
        }

        var count = Math.Min(buffer.Length, script.Length - _position);
        script.AsMemory(_position, count).CopyTo(buffer);
        _position += count;
        return count;
    }

    public override ValueTask WriteAsync(
        ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        Written(buffer.ToArray());
        return default;
    }

    public override ValueTask DisposeAsync()
    {
        _end.TrySetResult();
        Disposing();
        return base.DisposeAsync();
    }

    public override void Flush()
    {
    }

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
}
