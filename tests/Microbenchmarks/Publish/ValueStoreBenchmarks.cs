using BenchmarkDotNet.Attributes;
using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Types;
using Gateway.Microbenchmarks.Tables;

namespace Gateway.Microbenchmarks.Publish;

/// <summary>A change that nobody watches, one that a shard watches, and a read.</summary>
[MemoryDiagnoser]
[Table(70, "Value store", "A change that nobody watches, one that a shard watches and takes, and a read.")]
public class ValueStoreBenchmarks
{
    private readonly ValueStore _store = new(TimeProvider.System);
    private readonly NodeHandle _alone = new(1);
    private readonly NodeHandle _watched = new(2);
    private ChangeInbox _inbox = null!;
    private double _value;

    [GlobalSetup]
    public void Setup()
    {
        _inbox = _store.OpenInbox(1000, static () => { });
        _store.Attach(_watched, _inbox.Shard);
        _store.Set(_alone, new DataValue(new Variant(1.0)));
    }

    [Benchmark]
    public void Set() => _store.Set(_alone, new DataValue(new Variant(++_value)));

    [Benchmark]
    public void SetWatchedAndTake()
    {
        _store.Set(_watched, new DataValue(new Variant(++_value)));
        _inbox.TryTake(out var batch);
        batch!.Changes[0].Value.Release();
        _inbox.Recycle(batch);
    }

    [Benchmark]
    public double AcquireAndRelease()
    {
        var value = _store.Acquire(_alone)!;
        var number = value.Numeric;
        value.Release();
        return number;
    }
}
