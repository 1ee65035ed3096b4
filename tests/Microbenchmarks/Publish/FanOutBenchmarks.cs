using BenchmarkDotNet.Attributes;
using Gateway.Codec.Types;
using Gateway.Microbenchmarks.Tables;

namespace Gateway.Microbenchmarks.Publish;

/// <summary>One change of one tag on its way to the queues of all items that watch it. Figures are for one item.
/// </summary>
[MemoryDiagnoser]
[Table(60, "Publish: fan-out", "One change of one tag on its way to the queues of a thousand items that watch it; a " +
    "figure is for one item.")]
public class FanOutBenchmarks : IDisposable
{
    private const int Items = 1000;

    private PublishPlant _plant = null!;
    private double _value;

    [GlobalSetup]
    public void Setup()
    {
        _plant = new PublishPlant(1);
        for (var i = 0; i < Items; i++)
            _plant.AddSession(1, static _ => 1);
    }

    [GlobalCleanup]
    public void Dispose()
    {
        _plant.Dispose();
        GC.SuppressFinalize(this);
    }

    [Benchmark(OperationsPerInvoke = Items)]
    public void ChangeToItems()
    {
        _plant.Store.Set(_plant.Tags[0], new DataValue(new Variant(++_value)));
        _plant.HandOut();
    }
}
