using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Publish.Subscriptions;
using Gateway.Store;
using Gateway.Store.Files;
using Gateway.Transport.Timing;
using Microsoft.Extensions.Logging;

namespace Gateway.Publish.Durable;

/// <summary>
/// Keeps durable subscriptions on disk: restores them at the start, saves what has changed once an interval, and all
/// of it at the end, before the sources end. That interval bounds the loss of a process that is killed. A disk
/// that fails loses nothing as long as the process lives; the next save writes it. Threads: a timer's, one save at a
/// time. Source: Part 4 §6.8.
/// </summary>
public sealed partial class DurableSubscriptions : IAsyncDisposable
{
    private readonly PublishEngine _engine;
    private readonly NodeTable _nodes;
    private readonly ValueStore _store;
    private readonly DurableOptions _options;
    private readonly TimeProvider _time;
    private readonly ILogger _logger;
    private readonly Func<string, IStoreFiles> _open;
    private readonly Lock _saving = new();
    private readonly SaveBuffers _buffers = new();
    private readonly WaitingItems _waiting;
    private readonly Dictionary<uint, SubscriptionFile> _files = [];
    private readonly DurableMetrics _metrics;
    private IStoreFiles? _folder;
    private ITimer? _timer;
    private long _savedAt;
    private volatile string? _failure;
    private bool _isStopped;
    private long _fileBytes;
    private long _diskErrors;
    private long _restored;
    private long _lost;
    private long _lostItems;

    public DurableSubscriptions(
        PublishEngine engine, NodeTable nodes, ValueStore store, DurableOptions options, TimeProvider time,
        ILogger<DurableSubscriptions> logger)
        : this(engine, nodes, store, options, time, logger, OpenPrivate)
    {
    }

    /// <param name="open">Opens a folder.</param>
    internal DurableSubscriptions(
        PublishEngine engine, NodeTable nodes, ValueStore store, DurableOptions options, TimeProvider time,
        ILogger logger, Func<string, IStoreFiles> open)
    {
        (_engine, _nodes, _store, _options, _time, _logger, _open) =
            (engine, nodes, store, options, time, logger, open);
        _waiting = new WaitingItems(nodes, engine.ItemStart);
        _savedAt = time.GetTimestamp();
        _metrics = new DurableMetrics(engine.Durable, this);
    }

    /// <summary>Restored, and without their node.</summary>
    public int WaitingItems => _waiting.Count;

    public long FileBytes => Interlocked.Read(ref _fileBytes);

    /// <summary>Since the last save that wrote all.</summary>
    public TimeSpan UnsavedTime => _options.IsOn
        ? _time.GetElapsedTime(Interlocked.Read(ref _savedAt))
        : TimeSpan.Zero;

    public long DiskErrors => Interlocked.Read(ref _diskErrors);

    public long Restored => Interlocked.Read(ref _restored);

    /// <summary>The reason why the last save did not write all; null: it did.</summary>
    public string? Failure => _failure;

    /// <summary>Items for events that there was no room for when their subscription was restored.</summary>
    public long LostItems => Interlocked.Read(ref _lostItems);

    /// <summary>Files that could not be read.</summary>
    public long Lost => Interlocked.Read(ref _lost);

    /// <summary>Behind the sources, before sessions come. Where the folder cannot be used, it is tried again.</summary>
    public void Start()
    {
        if (!_options.IsOn)
            return;
        Save();
        var interval = _engine.Limits.DurableSaveInterval;
        var timer = _timer = Contained.Every(_time, interval, Save, LogSaveFailed);
        _engine.Durable.SaveAsked = () => timer.Change(TimeSpan.Zero, interval);
    }

    /// <summary>One save; does nothing where one is under way.</summary>
    public void Save()
    {
        if (!_saving.TryEnter())
            return;
        try
        {
            if (!_isStopped)
                SaveUnderLock(isClean: false);
        }
        finally
        {
            _saving.Exit();
        }
    }

    /// <summary>The last save.</summary>
    public async ValueTask DisposeAsync()
    {
        if (_timer is not null)
            await _timer.DisposeAsync().ConfigureAwait(false);
        lock (_saving)
        {
            if (_isStopped)
                return;
            _isStopped = true;
            foreach (var shard in _engine.Shards)
                shard.HandOutChanges();
            if (_folder is not null)
                SaveUnderLock(isClean: true);
            _engine.Durable.IsOpen = false;
            foreach (var file in _files.Values)
                file.Dispose();
            _folder?.Dispose();
            _buffers.Dispose();
            _metrics.Dispose();
        }
    }

    private void SaveUnderLock(bool isClean)
    {
        if (!_options.IsOn || !TryOpenUnderLock())
            return;
        _engine.Durable.OnSaveBegins();
        _waiting.Look();
        var failure = TryOnDisk(DeleteEnded);
        foreach (var state in _engine.Durable.Snapshot())
        {
            var file = FileOf(state);
            failure = TryOnDisk(() => file.Save(isClean)) ?? failure;
        }

        Interlocked.Exchange(ref _fileBytes, _files.Values.Sum(static file => file.Bytes));
        if (failure is null)
            Interlocked.Exchange(ref _savedAt, _time.GetTimestamp());
        Tell(failure);
        // Nobody is promised what the disk does not take.
        _engine.Durable.IsOpen = failure is null;
    }

    private SubscriptionFile FileOf(DurableState state)
    {
        if (!_files.TryGetValue(state.Subscription.Id, out var file))
            _files.Add(state.Subscription.Id, file = Make(state, 0));
        return file;
    }

    private SubscriptionFile Make(DurableState state, int generation) =>
        new(state, generation, _nodes, _folder!, _buffers, _time);

    private void DeleteEnded()
    {
        while (_engine.Durable.TryPeekEnded(out var id))
        {
            // A file that stays would bring the subscription back at the next start.
            if (_files.TryGetValue(id, out var file))
                file.Delete();
            _files.Remove(id);
            _engine.Durable.ForgetEnded();
        }
    }

    /// <summary>Null: it went well.</summary>
    private string? TryOnDisk(Action write)
    {
        try
        {
            write();
            return null;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            Interlocked.Increment(ref _diskErrors);
            return error.Message;
        }
#pragma warning disable CA1031 // A fault of ours with one subscription is not the others'.
        catch (Exception error)
#pragma warning restore CA1031
        {
            LogSaveFailed(error);
            return error.GetType().Name;
        }
    }

    private void Tell(string? failure)
    {
        if (failure is not null && _failure is null)
            LogDiskFailed(_options.Path, failure);
        else if (failure is null && _failure is not null)
            LogDiskBack(_options.Path);
        _failure = failure;
    }

    private bool TryOpenUnderLock()
    {
        if (_folder is not null)
            return true;
        IStoreFiles? folder = null;
        try
        {
            folder = _open(_options.Path);
            Load(folder);
            _folder = folder;
            _engine.Durable.IsOpen = true;
            Tell(null);
            return true;
        }
        catch (Exception error) when (error is StoreException or IOException or UnauthorizedAccessException)
        {
            folder?.Dispose();
            Interlocked.Increment(ref _diskErrors);
            if (_failure is null)
                LogUnusable(_options.Path, error.Message);
            _failure = error.Message;
            return false;
        }
    }

    /// <summary>Of each subscription the newest file that has a whole commit counts.</summary>
    private void Load(IStoreFiles folder)
    {
        var names = new List<(uint Id, int Generation, string Name)>();
        foreach (var name in folder.List())
        {
            if (SavedFile.TryParseName(name, out var id, out var generation))
                names.Add((id, generation, name));
        }

        var restoration = new Restoration(_engine, _store, _waiting, _time, _nodes.RulesDigest);
        foreach (var group in names.GroupBy(static one => one.Id))
        {
            try
            {
                Load(folder, restoration, [.. group.OrderByDescending(static one => one.Generation)]);
            }
#pragma warning disable CA1031 // One wrong file keeps neither the gateway from its start nor the others.
            catch (Exception)
#pragma warning restore CA1031
            {
                _lost++;
                LogUnreadable(group.First().Name, _options.Path);
            }
        }

        restoration.Complete();
    }

    private void Load(
        IStoreFiles folder, Restoration restoration, (uint Id, int Generation, string Name)[] generations)
    {
        SavedSubscription? saved = null;
        for (var i = 0; i < generations.Length && saved is null; i++)
            saved = SavedSubscription.Read(ReadWhole(folder, generations[i].Name));
        if (saved is null || saved.Id != generations[0].Id)
        {
            _lost++;
            LogUnreadable(generations[0].Name, _options.Path);
            return;
        }

        var lostBefore = restoration.LostItems;
        if (restoration.TryRestore(saved, _time.GetUtcNow().UtcDateTime) is not { } state)
        {
            LogExpired(saved.Id);
            foreach (var (_, _, name) in generations)
                folder.Delete(name);
            return;
        }

        _restored++;
        var file = new SubscriptionFile(state, generations[0].Generation, _nodes, folder, _buffers, _time);
        foreach (var (_, _, name) in generations)
            file.Replaces(name);
        _files.Add(saved.Id, file);
        var lost = restoration.LostItems - lostBefore;
        LogRestored(saved.Id, saved.Items.Count - lost, saved.IsClean ? "in order" : "without a last save");
        if (lost == 0)
            return;
        _lostItems += lost;
        LogItemsLost(saved.Id, lost);
    }

    /// <summary>Values of a plant are not for everybody on the machine.</summary>
    private static DiskFiles OpenPrivate(string path)
    {
        if (!OperatingSystem.IsWindows() && !Directory.Exists(path))
        {
            try
            {
                Directory.CreateDirectory(
                    path, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
            }
            catch (ArgumentException error)
            {
                throw new IOException(error.Message, error);
            }
        }

        return DiskFiles.Open(path);
    }

    private static byte[] ReadWhole(IStoreFiles folder, string name)
    {
        using var file = folder.OpenToRead(name);
        var bytes = new byte[file.Length];
        var count = file.Read(bytes, 0);
        return bytes[..count];
    }
}
