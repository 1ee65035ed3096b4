using System.Runtime.ConstrainedExecution;
using System.Runtime.InteropServices;

namespace Gateway.Codec.Pooling;

/// <summary>
/// Unused large objects that the collector has not freed yet: left to itself it lets several times the memory in use
/// pile up. From a part of the limit on it is asked for a concurrent collection of all generations, which pauses
/// threads only briefly. An object counts until a collection that began after its release has ended. Thread-safe.
/// </summary>
internal sealed class UncollectedBytes
{
    /// <summary>Of the runtime: objects of this size are collected only with the oldest generation.</summary>
    public const int LargeObjectBytes = 85_000;

    private readonly long _askAtBytes;
    private readonly Action _collect;
    private long _newer;
    private long _older;
    private long _collections;
    private int _isAsked;

    /// <param name="askAtBytes">A collection is asked for from so much on.</param>
    /// <param name="collect">Null: the runtime's; it must not wait for it.</param>
    public UncollectedBytes(long askAtBytes, Action? collect = null)
    {
        (_askAtBytes, _collect) = (askAtBytes, collect ?? Collect);
        CollectionWatch.Start(this);
    }

    public long Bytes => Volatile.Read(ref _newer) + Volatile.Read(ref _older);

    /// <summary>Those that have ended.</summary>
    public long Collections => Volatile.Read(ref _collections);

    public void Add(long bytes)
    {
        Interlocked.Add(ref _newer, bytes);
        AskWhereNeeded();
    }

    /// <summary>A collection of all generations has ended. Bytes that were added since the one before may have come
    /// after it began.</summary>
    public void Collected()
    {
        Volatile.Write(ref _older, Interlocked.Exchange(ref _newer, 0));
        Interlocked.Increment(ref _collections);
        Volatile.Write(ref _isAsked, 0);
        AskWhereNeeded();
    }

    private static void Collect() => ThreadPool.UnsafeQueueUserWorkItem(
        static _ => GC.Collect(GC.MaxGeneration, GCCollectionMode.Forced, blocking: false), null);

    private void AskWhereNeeded()
    {
        if (Bytes >= _askAtBytes && Interlocked.Exchange(ref _isAsked, 1) == 0)
            _collect();
    }

    /// <summary>Dies in each collection of its generation, which is the oldest one soon, and comes back.</summary>
    private sealed class CollectionWatch : CriticalFinalizerObject
    {
        private readonly GCHandle _owner;
        private int _seen = GC.CollectionCount(GC.MaxGeneration);

        private CollectionWatch(UncollectedBytes owner) => _owner = GCHandle.Alloc(owner, GCHandleType.Weak);

        ~CollectionWatch()
        {
            if (_owner.Target is not UncollectedBytes owner)
            {
                _owner.Free();
                return;
            }

            var count = GC.CollectionCount(GC.MaxGeneration);
            if (count != _seen)
                owner.Collected();
            _seen = count;
            GC.ReRegisterForFinalize(this);
        }

        public static void Start(UncollectedBytes owner) => _ = new CollectionWatch(owner);
    }
}
