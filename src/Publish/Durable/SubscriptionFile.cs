using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Pooling;
using Gateway.Publish.Subscriptions;
using Gateway.Store.Files;

namespace Gateway.Publish.Durable;

/// <summary>
/// Keeps the file of one durable subscription as the subscription is. A save writes what has changed since the last
/// one, in slices of the shard's lock: the subscription itself comes last, in the slice in which no changed item is
/// left, so that all records agree. Values that came and went between two saves are never written. Where more than half
/// of the file is no longer true, it begins anew. Owner: the saver, one thread at a time.
/// </summary>
internal sealed class SubscriptionFile(
    DurableState state, int generation, NodeTable nodes, IStoreFiles files, SaveBuffers buffers, TimeProvider time)
    : IDisposable
{
    /// <summary>A small file is not worth being written anew.</summary>
    private const long SlackBytes = 256 * 1024;

    /// <summary>Settings of an item on disk, about.</summary>
    private const int ItemBytes = 128;

    /// <summary>The lifetime that is left is on disk at least so often.</summary>
    private static readonly TimeSpan CommitInterval = TimeSpan.FromMinutes(1);

    private readonly SliceWriter _slices = new(state, nodes, buffers, time);
    private readonly List<string> _obsolete = [];
    private SavedFile? _file;
    private int _generation = generation;
    private bool _isWhole;
    private long _restBytes;
    private byte[] _lastCommit = [];
    private long _lastCommitAt;

    public DurableState State => state;

    public long Bytes => _file?.Bytes ?? 0;

    /// <summary>An older file of the subscription: it goes once there is a whole new one.</summary>
    public void Replaces(string name) => _obsolete.Add(name);

    /// <summary>Errors: IOException, UnauthorizedAccessException; the next save then begins a new file, and the present
    /// one stays until that is whole.</summary>
    /// <param name="isClean">The gateway ends, and nothing follows.</param>
    public void Save(bool isClean)
    {
        if (state.IsEnded)
            return;
        if (_file is null || !_isWhole || _file.Bytes > (2 * TrueBytes()) + SlackBytes)
            SaveWhole(isClean);
        else
            SaveChanges(_file, isClean);
    }

    /// <summary>The subscription has ended. Errors: as of <see cref="Save"/>; another call goes on.</summary>
    public void Delete()
    {
        Forget();
        DeleteObsolete();
    }

    public void Dispose() => _file?.Dispose();

    private void SaveWhole(bool isClean)
    {
        _isWhole = false;
        var fresh = new SavedFile(files, state.Subscription.Id, ++_generation);
        try
        {
            _slices.BeginWhole();
            if (!Write(fresh, isClean, isForced: true))
            {
                Drop(fresh);
                return;
            }

            fresh.Sync();
            files.SyncNames();
            state.ConfirmNumbers();
        }
        catch
        {
            Drop(fresh);
            throw;
        }

        Forget();
        (_file, _isWhole) = (fresh, true);
        _restBytes = fresh.Bytes - state.Bytes - state.Subscription.Retransmission.Bytes;
        DeleteObsolete();
    }

    private void SaveChanges(SavedFile file, bool isClean)
    {
        try
        {
            if (!Write(file, isClean, isForced: isClean))
                return;
            state.ConfirmNumbers();
            if (isClean)
                file.Sync();
        }
        catch
        {
            // Items count entries as saved that the file may not have.
            _isWhole = false;
            throw;
        }
    }

    /// <summary>False: the subscription has ended, or is on its way to another shard; nothing was committed.</summary>
    private bool Write(SavedFile file, bool isClean, bool isForced)
    {
        var hasItems = false;
        for (var slices = 0; ; slices++)
        {
            switch (_slices.Next(isClean, slices))
            {
                case SliceResult.Unavailable:
                    return false;
                case SliceResult.More:
                    hasItems |= Append(file, buffers.Items);
                    continue;
                default:
                    hasItems |= Append(file, buffers.Items);
                    hasItems |= Append(file, buffers.Messages);
                    if (hasItems || isForced || IsCommitDue())
                        Commit(file);
                    return true;
            }
        }
    }

    private static bool Append(SavedFile file, PooledBuffer record)
    {
        if (record.Length <= 1)
            return false;
        file.Append(record.WrittenSpan);
        return true;
    }

    private bool IsCommitDue() => time.GetElapsedTime(_lastCommitAt) >= CommitInterval ||
        !buffers.Commit.WrittenSpan[CommitRecord.VolatileBytes..].SequenceEqual(_lastCommit);

    private void Commit(SavedFile file)
    {
        file.Append(buffers.Commit.WrittenSpan);
        _lastCommit = buffers.Commit.WrittenSpan[CommitRecord.VolatileBytes..].ToArray();
        _lastCommitAt = time.GetTimestamp();
    }

    /// <summary>Items take what they took in the whole file: their names, and their last values.</summary>
    private long TrueBytes() => state.Bytes + state.Subscription.Retransmission.Bytes +
        Math.Max((long)state.Subscription.Items.Count * ItemBytes, _restBytes);

    private void Forget()
    {
        if (_file is null)
            return;
        _file.Dispose();
        _obsolete.Add(_file.Name);
        _file = null;
    }

    /// <summary>At once: on a full disk it would take the room of the next try.</summary>
    private void Drop(SavedFile fresh)
    {
        fresh.Dispose();
        try
        {
            files.Delete(fresh.Name);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            _obsolete.Add(fresh.Name);
        }
    }

    private void DeleteObsolete()
    {
        while (_obsolete.Count > 0)
        {
            files.Delete(_obsolete[^1]);
            _obsolete.RemoveAt(_obsolete.Count - 1);
        }
    }
}
