using Gateway.Client;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Loadtest.Scenarios.Echo;

/// <summary>Calls Echo on one session, so many at a time, and checks the results.</summary>
internal sealed class EchoCaller(ClientSession session, NodeId folder, NodeId method)
{
    private const int MaxSamples = 200_000;

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    private readonly TimeProvider _time = TimeProvider.System;

    /// <summary>Of the last run, in µs, sorted.</summary>
    public List<double> RoundTrips { get; } = [];

    public double Seconds { get; private set; }

    /// <summary>Errors: ServiceException; InvalidOperationException where the answer is not the argument.</summary>
    /// <returns>Calls made.</returns>
    public async Task<long> RunAsync(int payloadBytes, int depth, TimeSpan length, CancellationToken cancellation)
    {
        RoundTrips.Clear();
        var text = new string('x', payloadBytes);
        var start = _time.GetTimestamp();
        var loops = await Task.WhenAll(Enumerable.Range(0, depth)
            .Select(_ => LoopAsync(text, start, length, cancellation)));
        Seconds = _time.GetElapsedTime(start).TotalSeconds;
        foreach (var (_, samples) in loops)
            RoundTrips.AddRange(samples);
        RoundTrips.Sort();
        return loops.Sum(loop => loop.Calls);
    }

    public double Percentile(double fraction) => RoundTrips.Count == 0
        ? double.NaN
        : RoundTrips[Math.Clamp((int)Math.Ceiling(fraction * RoundTrips.Count) - 1, 0, RoundTrips.Count - 1)];

    private async Task<(long Calls, List<double> Samples)> LoopAsync(
        string text, long start, TimeSpan length, CancellationToken cancellation)
    {
        List<double> samples = new(1024);
        var request = new CallRequest
        {
            MethodsToCall =
            [
                new CallMethodRequest { ObjectId = folder, MethodId = method, InputArguments = [new Variant(text)] },
            ],
        };
        long calls = 0;
        while (_time.GetElapsedTime(start) < length && !cancellation.IsCancellationRequested)
        {
            var sent = _time.GetTimestamp();
            var response = await session.InvokeAsync<CallRequest, CallResponse>(
                request, Patience, CancellationToken.None);
            if (samples.Count < MaxSamples)
                samples.Add(_time.GetElapsedTime(sent).TotalMicroseconds);
            calls++;
            Check(response, text);
        }

        return (calls, samples);
    }

    private static void Check(CallResponse response, string text)
    {
        if (response.Results is not [var result])
            throw new InvalidOperationException("the Call was not answered with one result");
        if (result.StatusCode.IsBad)
            throw new ServiceException(result.StatusCode, "Echo");
        if (result.OutputArguments is not [var output] || output.AsString() != text)
            throw new InvalidOperationException("Echo answered something else");
    }
}
