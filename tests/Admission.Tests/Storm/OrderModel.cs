using Gateway.Admission.Tests.Support;

namespace Gateway.Admission.Tests.Storm;

/// <summary>One queue, one server of 640 a second, ten thousand clients: only the order in which they are served
/// differs. Who gives up is taken out where it hangs up, and served in vain where it vanishes; it comes back at once,
/// or, if it obeys and was told, evenly spread.</summary>
internal sealed class OrderModel(string order, double obeying, double vanishing)
{
    private const int Clients = 10_000;
    private const double PerStep = 6.4;
    private const int StepMs = 10;
    private const double DoorPatienceMs = 4000;
    private const double OverloadMs = 500;
    private static readonly double[] Patience = [5000, 10_000, 60_000];

    private readonly Noise _noise = new(99);
    private readonly LinkedList<(int Client, double Since, double Until, bool IsGone)> _queue = new();
    private readonly PriorityQueue<int, double> _coming = new();
    private readonly List<double> _activeAt = [];
    private double _nextMoment;

    public int Wasted { get; private set; }

    public int Refusals { get; private set; }

    public double SecondsUntil(double part) =>
        _activeAt.Count < part * Clients ? double.PositiveInfinity : _activeAt[(int)(part * Clients) - 1] / 1000;

    /// <summary>Of the server's time, how much made a client active until the last one was.</summary>
    public double Goodput => _activeAt.Count / (640 * _activeAt[^1] / 1000);

    public void Run()
    {
        for (var i = 0; i < Clients; i++)
            _coming.Enqueue(i, _noise.Next() * 100);
        var credit = 0.0;
        for (var now = 0.0; now < 300_000 && _activeAt.Count < Clients; now += StepMs)
        {
            while (_coming.TryPeek(out var client, out var at) && at <= now)
            {
                _coming.Dequeue();
                _queue.AddLast((client, now, now + Patience[client % Patience.Length], false));
            }

            Leave(now);
            credit = Math.Min(2 * PerStep, credit + PerStep);
            for (; credit >= 1 && _queue.Count > 0; credit--)
                Serve(now);
        }
    }

    private void Leave(double now)
    {
        for (var node = _queue.First; node is not null;)
        {
            var next = node.Next;
            var (client, since, until, isGone) = node.Value;
            if (order == "FIFO, told after 4 s" && now - since > DoorPatienceMs)
            {
                _queue.Remove(node);
                if (!isGone)
                    Tell(client, now);
            }
            else if (!isGone && now > until)
            {
                if (_noise.Next() < vanishing)
                    node.Value = (client, since, until, true);
                else
                    _queue.Remove(node);
                _coming.Enqueue(client, now + (50 * _noise.Next()));
            }

            node = next;
        }
    }

    private void Tell(int client, double now)
    {
        Refusals++;
        _nextMoment = Math.Max(_nextMoment + (1000 / 640.0), now + 500);
        var comesAt = client < obeying * Clients ? _nextMoment : now;
        _coming.Enqueue(client, comesAt + (50 * _noise.Next()));
    }

    private void Serve(double now)
    {
        var isLast = order == "LIFO" ||
            (order == "LIFO under overload" && now - _queue.First!.Value.Since > OverloadMs);
        var node = isLast ? _queue.Last! : _queue.First!;
        _queue.Remove(node);
        if (node.Value.IsGone)
            Wasted++;
        else
            _activeAt.Add(now);
    }
}
