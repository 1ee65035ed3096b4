using System.Net;
using BenchmarkDotNet.Attributes;
using Gateway.Admission;
using Gateway.Admission.Clients;
using Gateway.Admission.Door;
using Gateway.Admission.Lanes;
using Gateway.Admission.Rates;
using Gateway.Admission.Stages;

namespace Gateway.Microbenchmarks.Admission;

/// <summary>What admission's policy costs a connection, without its socket.</summary>
[MemoryDiagnoser]
public class AdmissionBenchmarks
{
    private static readonly string Thumbprint = new('A', 40);

    private readonly FairQueue<Waiting> _queue = new(16_384, TimeSpan.FromHours(1), TimeProvider.System);
    private readonly FairShare[] _shares = [.. Enumerable.Range(0, 100).Select(_ => new FairShare())];
    private readonly Waiting _one = new();
    private readonly TokenBucket _bucket =
        new TokenRate(TimeProvider.System, 1_000_000_000, TimeSpan.FromSeconds(3)).NewBucket();

    private AdmissionControl _open = null!;
    private AdmissionControl _full = null!;
    private int _next;

    [GlobalSetup]
    public void Setup()
    {
        var limits = new AdmissionLimits
        {
            MaxConnectionsPerSecond = 1_000_000_000,
            MaxConnectionsPerSecondPerAddress = 1_000_000_000,
        };
        _open = new AdmissionControl(limits, TimeProvider.System, true, 200);
        _full = new AdmissionControl(
            limits with { MaxConnectionsPerAddress = 0 }, TimeProvider.System, true, 200);
        for (var i = 0; i < 10_000; i++)
            _queue.TryEnqueue(new Waiting(), LaneClass.Stranger, null, _shares[i % 100], out _);
    }

    [Benchmark]
    public bool TakeToken() => _bucket.TryTake(out _);

    /// <summary>From the arrival to the end of the connection, with its certificate verified.</summary>
    [Benchmark]
    public void ArriveLetInVerifyLeave()
    {
        var entry = new Entry();
        _open.Door.Arrive(entry);
        entry.Pass!.OpenArrived();
        entry.Pass.Claim(Thumbprint);
        entry.Pass.TryVerify(Thumbprint, "");
        entry.Pass.Dispose();
    }

    [Benchmark]
    public void ArriveRefused() => _full.Door.Arrive(new Entry());

    /// <summary>With ten thousand that wait.</summary>
    [Benchmark]
    public void EnqueueDequeue()
    {
        _queue.TryEnqueue(_one, LaneClass.Live, null, _shares[_next++ % 100], out _);
        _queue.TryDequeue();
    }

    private sealed class Waiting : FairEntry;

    private sealed class Entry() : DoorEntry(IPAddress.Loopback)
    {
        public ClientPass? Pass { get; private set; }

        public override void LetIn(ClientPass pass) => Pass = pass;

        public override void Refuse(Decision decision)
        {
        }
    }
}
