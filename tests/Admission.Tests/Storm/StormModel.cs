using System.Net;
using Gateway.Admission.Lanes;
using Gateway.Admission.Stages;
using Gateway.Admission.Tests.Support;
using Gateway.Testing;

namespace Gateway.Admission.Tests.Storm;

/// <summary>A storm upon the real policy, on fake time in steps of 10 ms: clients with patience come to the door, are
/// let in, send their OPN 20 ms later into the lane, which serves at its capacity, hang up or vanish when their
/// patience is over, and come back.</summary>
internal sealed class StormModel
{
    private const int StepMs = 10;

    private readonly StormOptions _options;
    private readonly ManualTimeProvider _time = new();
    private readonly Noise _noise = new(12345);
    private readonly AdmissionControl _control;
    private readonly FairQueue<StormClient.OpenPiece> _lane;
    private readonly PriorityQueue<Action, double> _events = new();
    private readonly HashSet<int> _active = [];
    private double _credit;

    public StormModel(StormOptions options)
    {
        _options = options;
        _control = new AdmissionControl(new AdmissionLimits(), _time, true, options.Guess);
        _lane = new FairQueue<StormClient.OpenPiece>(4096, TimeSpan.FromSeconds(10), _time);
        for (var i = 0; i < options.Clients + options.Silent; i++)
        {
            var number = i;
            At(_noise.Next() * 100, () => Arrive(number));
        }
    }

    public double NowMs => _time.Elapsed.TotalMilliseconds;

    public int Active => _active.Count;

    public List<int> ServedPerSecond { get; } = [];

    public List<int> ArrivalsPerSecond { get; } = [];

    public List<int> Hints { get; } = [];

    /// <summary>Served though nobody was there any more.</summary>
    public int Wasted { get; private set; }

    public int Refusals { get; private set; }

    /// <summary>Until all are active; null: they are not.</summary>
    public double? Run(double seconds)
    {
        while (NowMs < seconds * 1000)
        {
            _time.Advance(StepMs);
            while (_events.TryPeek(out var next, out var at) && at <= NowMs)
            {
                _events.Dequeue();
                next();
            }

            _control.Door.Pump();
            Serve();
            if (_active.Count == _options.Clients)
                return NowMs / 1000;
        }

        return null;
    }

    public void LetIn(StormClient client)
    {
        if (IsSilent(client.Number))
            At(10_000, () => End(client));
        else
            At(20, () => Open(client));
    }

    public void Refused(StormClient client, Decision decision)
    {
        if (client.IsOver)
            return;
        client.IsOver = true;
        Refusals++;
        Hints.Add(decision.RetryAfterMs);
        var obeys = !IsSilent(client.Number) && client.Number < _options.Obeying * _options.Clients;
        At((obeys ? decision.RetryAfterMs : 0) + (_noise.Next() * 50), () => Arrive(client.Number));
    }

    private void At(double afterMs, Action action) => _events.Enqueue(action, NowMs + afterMs);

    private bool IsSilent(int number) => number >= _options.Clients;

    private void Arrive(int number)
    {
        Count(ArrivalsPerSecond);
        var patience = _options.PatienceMs[number % _options.PatienceMs.Length];
        var address = _options.IsBalanced ? new IPAddress(0x0100000A) : new IPAddress(0x0A + ((long)number << 8));
        var client = new StormClient(this, number, address, patience);
        if (!IsSilent(number))
            At(patience, () => GiveUp(client));
        _control.Door.Arrive(client);
    }

    private void Open(StormClient client)
    {
        if (client.IsOver)
            return;
        var pass = client.Pass!;
        pass.OpenArrived();
        var isKnown = pass.Claim(Thumbprint(client.Number));
        client.Open = new StormClient.OpenPiece(client);
        if (!_lane.TryEnqueue(
            client.Open, isKnown ? LaneClass.Known : LaneClass.Stranger, pass.LaneShare, pass.Address.LaneShare,
            out var displaced))
            Drop(client);
        if (displaced is not null)
            Drop(displaced.Client);
    }

    private void Drop(StormClient client)
    {
        var decision = _control.Refuse(AdmissionStage.Open, RefusalReason.QueueFull, client.Pass!);
        client.Pass!.Dispose();
        Refused(client, decision);
    }

    private void GiveUp(StormClient client)
    {
        if (client.IsOver)
            return;
        client.IsOver = true;
        if (_noise.Next() >= _options.Vanishing)
            End(client);
        At(_noise.Next() * 50, () => Arrive(client.Number));
    }

    private void End(StormClient client)
    {
        client.IsOver = true;
        if (client.Open is not null)
            _lane.Remove(client.Open);
        if (client.Pass is null)
            _control.Door.Leave(client);
        else
            client.Pass.Dispose();
        if (IsSilent(client.Number))
            At(_noise.Next() * 50, () => Arrive(client.Number));
    }

    private void Serve()
    {
        while (_lane.TakeExpired() is { } expired)
            Drop(expired.Client);
        _credit = Math.Min(_options.Capacity * StepMs / 1000 * 2, _credit + (_options.Capacity * StepMs / 1000));
        while (_credit >= 1 && _lane.TryDequeue() is { } piece)
        {
            _credit--;
            var client = piece.Client;
            client.Pass!.TryVerify(Thumbprint(client.Number), null);
            _control.Rate.Completed(_lane.Count > 0);
            if (client.IsOver)
            {
                Wasted++;
                client.Pass.Dispose();
                continue;
            }

            client.IsOver = true;
            _active.Add(client.Number);
            Count(ServedPerSecond);
        }
    }

    private void Count(List<int> perSecond)
    {
        while (perSecond.Count <= (int)(NowMs / 1000))
            perSecond.Add(0);
        perSecond[^1]++;
    }

    private static string Thumbprint(int number) => "T" + number;
}
