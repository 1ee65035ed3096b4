using System.Numerics;

namespace Gateway.Sources.OpcUa.Load;

/// <summary>The time that an upstream takes for requests when it is at ease, by class and size: it follows faster
/// answers at once, and slower ones over hundreds of them. Owner: <see cref="LoadControl"/>.</summary>
internal sealed class ResponseTimes
{
    private const int Sizes = 12;
    private const double Rise = 1.0 / 256;
    private const double Fall = 1.0 / 4;

    private readonly double[] _expected = new double[3 * Sizes];

    /// <returns>The time that was expected; zero before the first answer of that kind.</returns>
    public TimeSpan Add(RequestShape shape, TimeSpan took)
    {
        var size = Math.Min(Sizes - 1, BitOperations.Log2((uint)Math.Max(1, shape.Operations)));
        ref var expected = ref _expected[((int)shape.Class * Sizes) + size];
        var before = expected;
        var seconds = took.TotalSeconds;
        expected = before == 0 ? seconds : before + ((seconds - before) * (seconds < before ? Fall : Rise));
        return TimeSpan.FromSeconds(before);
    }
}
