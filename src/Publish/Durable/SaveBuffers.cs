using Gateway.Codec.Pooling;

namespace Gateway.Publish.Durable;

/// <summary>The records of a slice, for all files in turn. Owner: the saver.</summary>
internal sealed class SaveBuffers : IDisposable
{
    /// <summary>More than a slice and one value of the largest message.</summary>
    private const int LimitBytes = 64 * 1024 * 1024;

    public PooledBuffer Items { get; } = new(limitBytes: LimitBytes);

    public PooledBuffer Messages { get; } = new(limitBytes: LimitBytes);

    public PooledBuffer Commit { get; } = new(limitBytes: LimitBytes);

    public void Dispose()
    {
        Items.Dispose();
        Messages.Dispose();
        Commit.Dispose();
    }
}
