using Gateway.Admission.Load;
using Gateway.Admission.Tests.Support;
using Gateway.Testing;

namespace Gateway.Admission.Tests.Load;

/// <summary>The closed loop on fake time: handshakes take their share of a processor, of which the plant's data leaves
/// <c>capacity</c>; what they take beyond makes the data late, second for second; what they leave lets it catch up.
/// The lateness is seen a while later, with noise, and now and then with a pause that has nothing to do with it.
/// </summary>
internal sealed class PlantModel(TimeSpan seenAfter, ulong seed = 7)
{
    private const int StepMs = 1;
    private const int ObservedEveryMs = 10;
    private const double NoiseMeanSeconds = 0.002;
    private const double RarePauseChance = 0.0005;

    private readonly ManualTimeProvider _time = new();
    private readonly Noise _noise = new(seed);
    private readonly Queue<double> _unseen = new();
    private double _late;
    private int _step;
    private AdaptiveConcurrency? _law;

    public AdaptiveConcurrency Law => _law ??= new AdaptiveConcurrency(_time);

    public ManualTimeProvider Time => _time;

    /// <summary>Of a pause, each time that the law looks.</summary>
    public double PauseChance { get; set; } = RarePauseChance;

    public double PauseSeconds { get; set; } = 0.06;

    /// <param name="seconds">How long.</param>
    /// <param name="capacity">What the plant leaves: 0 to 1.</param>
    /// <param name="isStorm">Handshakes take all they may; else none.</param>
    public PlantRun Run(double seconds, double capacity, bool isStorm = true)
    {
        var run = new PlantRun(capacity);
        for (var i = 0; i < seconds * 1000 / StepMs; i++)
        {
            _time.Advance(StepMs);
            var use = isStorm ? Law.Share : 0;
            _late = Math.Max(0, _late + ((use - capacity) * StepMs / 1000));
            _unseen.Enqueue(_late);
            while (_unseen.Count > seenAfter.TotalMilliseconds / StepMs)
                _unseen.Dequeue();
            if (++_step % ObservedEveryMs == 0)
                Law.Observe(TimeSpan.FromSeconds(Seen()));
            run.Add(Law.Share, _late);
        }

        return run;
    }

    private double Seen()
    {
        var seen = _unseen.Peek() + _noise.Exponential(NoiseMeanSeconds);
        return _noise.Next() < PauseChance ? seen + PauseSeconds : seen;
    }
}
