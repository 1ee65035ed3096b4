using Gateway.Admission.Lanes;
using Gateway.Admission.Tests.Support;
using Gateway.Testing;

namespace Gateway.Admission.Tests.Lanes;

public class FairQueueTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(4);

    private readonly ManualTimeProvider _time = new();

    private FairQueue<Piece> Queue(int capacity = 1000) => new(capacity, Patience, _time);

    private static Piece Add(
        FairQueue<Piece> queue, string name, LaneClass lane = LaneClass.Stranger, FairShare? owner = null,
        FairShare? address = null)
    {
        var piece = new Piece(name);
        Assert.True(queue.TryEnqueue(piece, lane, owner, address, out _));
        return piece;
    }

    private static string Drain(FairQueue<Piece> queue)
    {
        var names = new List<string>();
        while (queue.TryDequeue() is { } piece)
            names.Add(piece.Name);
        return string.Join(' ', names);
    }

    [Fact]
    public void TryDequeue_SeveralClasses_LowerFirstAndFirstComeFirst()
    {
        var queue = Queue();
        Add(queue, "s1");
        Add(queue, "k1", LaneClass.Known);
        Add(queue, "s2");
        Add(queue, "l1", LaneClass.Live);
        Add(queue, "b1", LaneClass.Begun);
        Add(queue, "k2", LaneClass.Known);

        Assert.Equal("l1 b1 k1 k2 s1 s2", Drain(queue));
    }

    [Fact]
    public void TryDequeue_OneAddressWithManyAndOneWithOne_TheOneIsSecondAtLatest()
    {
        var queue = Queue();
        var many = new FairShare();
        for (var i = 0; i < 100; i++)
            Add(queue, "m", address: many);
        Add(queue, "one", address: new FairShare());

        Assert.Equal("m", queue.TryDequeue()!.Name);
        Assert.Equal("one", queue.TryDequeue()!.Name);
    }

    [Fact]
    public void TryDequeue_WeightsTenToOne_ServedTenToOne()
    {
        var queue = Queue();
        var balancer = new FairShare { Weight = 10 };
        var single = new FairShare();
        for (var i = 0; i < 200; i++)
        {
            Add(queue, "b", address: balancer);
            Add(queue, "s", address: single);
        }

        var served = Enumerable.Range(0, 110).Select(_ => queue.TryDequeue()!.Name).ToArray();

        Assert.InRange(served.Count(name => name == "b"), 98, 102);
    }

    [Fact]
    public void TakeExpired_BehindPatience_AllHandedOutInOrderOfAgeAndNoneServed()
    {
        var queue = Queue();
        Add(queue, "a");
        Add(queue, "b", LaneClass.Live);
        _time.Advance(Patience + TimeSpan.FromMilliseconds(1));
        Add(queue, "c");

        Assert.Equal("c", queue.TryDequeue()!.Name);
        Assert.Null(queue.TryDequeue());
        Assert.Equal(2, queue.Count);
        Assert.Equal("a", queue.TakeExpired()!.Name);
        Assert.Equal("b", queue.TakeExpired()!.Name);
        Assert.Null(queue.TakeExpired());
        Assert.Equal(0, queue.Count);
    }

    [Fact]
    public void Remove_OnceAndTwice_OutOfTheQueueOnce()
    {
        var queue = Queue();
        var a = Add(queue, "a");
        Add(queue, "b");

        Assert.True(queue.Remove(a));
        Assert.False(queue.Remove(a));
        Assert.Equal("b", Drain(queue));
    }

    [Fact]
    public void Remove_ExpiredAndPassedOver_IsNotHandedOut()
    {
        var queue = Queue();
        var a = Add(queue, "a");
        _time.Advance(Patience + TimeSpan.FromSeconds(1));
        Assert.Null(queue.TryDequeue());

        Assert.True(queue.Remove(a));

        Assert.Null(queue.TakeExpired());
        Assert.Equal(0, queue.Count);
    }

    [Fact]
    public void TryEnqueue_FullOfOneAddress_ItsWorstPlacedGivesWayToAnother()
    {
        var queue = Queue(100);
        var many = new FairShare();
        for (var i = 0; i < 100; i++)
            Add(queue, "m" + i, address: many);

        Assert.True(queue.TryEnqueue(
            new Piece("good"), LaneClass.Stranger, null, new FairShare(), out var displaced));
        Assert.False(queue.TryEnqueue(new Piece("m100"), LaneClass.Stranger, null, many, out _));

        Assert.Equal("m99", displaced!.Name);
        Assert.Equal(100, queue.Count);
        queue.TryDequeue();
        Assert.Equal("good", queue.TryDequeue()!.Name);
    }

    [Fact]
    public void TryEnqueue_Full_BetterClassDisplacesAndWorseDoesNot()
    {
        var queue = Queue(2);
        Add(queue, "k1", LaneClass.Known);
        Add(queue, "k2", LaneClass.Known);

        Assert.False(queue.TryEnqueue(new Piece("s"), LaneClass.Stranger, null, null, out _));
        Assert.True(queue.TryEnqueue(new Piece("l"), LaneClass.Live, null, null, out var displaced));

        Assert.Equal("k2", displaced!.Name);
        Assert.Equal("l k1", Drain(queue));
    }

    [Fact]
    public void TryEnqueue_FullOfExpired_OneOfThemGivesWay()
    {
        var queue = Queue(2);
        Add(queue, "l1", LaneClass.Live);
        Add(queue, "l2", LaneClass.Live);
        _time.Advance(Patience + TimeSpan.FromSeconds(1));

        Assert.True(queue.TryEnqueue(new Piece("s"), LaneClass.Stranger, null, null, out var displaced));

        Assert.Equal("l1", displaced!.Name);
        Assert.Equal("s", Drain(queue));
    }

    [Fact]
    public void TakeExpired_ChargedOnArrival_GivenBack()
    {
        var queue = Queue();
        var address = new FairShare();
        for (var i = 0; i < 50; i++)
            Add(queue, "x", address: address);
        _time.Advance(Patience + TimeSpan.FromSeconds(1));
        while (queue.TakeExpired() is not null)
        {
        }

        Assert.Equal(0, address.Finish, 1e-9);
    }

    [Fact]
    public void Remove_PeersThatHangUpInALoop_PayAndAreForgivenInSeconds()
    {
        var queue = Queue();
        var address = new FairShare();
        for (var i = 0; i < 50; i++)
            queue.Remove(Add(queue, "x", address: address));
        var behind = Add(queue, "loop", address: address);
        Assert.Equal(FairQueue<Piece>.MostAhead, behind.Start, 0.01);
        queue.Remove(behind);

        _time.Advance(TimeSpan.FromSeconds(FairQueue<Piece>.MostAhead / FairQueue<Piece>.ForgivenPerSecond));

        Assert.Equal(0, Add(queue, "later", address: address).Start, 0.01);
    }

    [Fact]
    public void TryEnqueue_KnownOwnerFarAhead_IsAStranger()
    {
        var queue = Queue();
        var abuser = new FairShare();
        Add(queue, "stranger");
        for (var i = 0; i < 30; i++)
            Add(queue, "a", LaneClass.Known, abuser);
        for (var i = 0; i < 30; i++)
            queue.TryDequeue();

        Add(queue, "again", LaneClass.Known, abuser);
        Add(queue, "good", LaneClass.Known, new FairShare());

        Assert.Equal("good stranger again", Drain(queue));
    }

    [Fact]
    public void TryDequeue_UpToAClass_OthersWaitOn()
    {
        var queue = Queue();
        Add(queue, "s");
        Add(queue, "l", LaneClass.Live);

        Assert.Equal(1, queue.WaitingIn(LaneClass.Live));
        Assert.Equal("l", queue.TryDequeue(LaneClass.Begun)!.Name);
        Assert.Null(queue.TryDequeue(LaneClass.Begun));
        Assert.Equal("s", queue.TryDequeue()!.Name);
    }

    /// <summary>Against a list that is searched: every order of coming, going, expiring and being served.</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Queue_AnyOrderOfCalls_SameAsASortedList(int seed)
    {
        var noise = new Noise((ulong)seed * 104_729);
        var queue = Queue(200);
        var shares = Enumerable.Range(0, 12).Select(_ => new FairShare()).ToArray();
        var waiting = new List<Piece>();
        for (var i = 0; i < 20_000; i++)
        {
            switch (noise.Next(8))
            {
                case < 4:
                    var piece = new Piece("p" + i);
                    var lane = (LaneClass)noise.Next(4);
                    if (!queue.TryEnqueue(piece, lane, null, shares[noise.Next(12)], out var displaced))
                        break;
                    if (displaced is not null)
                        Assert.True(waiting.Remove(displaced));
                    waiting.Add(piece);
                    break;
                case < 6:
                    var best = waiting.Where(IsAlive).OrderBy(p => p.Lane).ThenBy(p => p.Start).ThenBy(p => p.Order)
                        .FirstOrDefault();
                    Assert.Same(best, queue.TryDequeue());
                    waiting.Remove(best!);
                    break;
                case 6 when waiting.Count > 0:
                    var gone = waiting[noise.Next(waiting.Count)];
                    Assert.True(queue.Remove(gone));
                    waiting.Remove(gone);
                    break;
                default:
                    _time.Advance(noise.Next(100));
                    var expired = waiting.Where(p => !IsAlive(p)).MinBy(p => p.EnqueuedAt);
                    var taken = queue.TakeExpired();
                    Assert.Equal(expired?.EnqueuedAt, taken?.EnqueuedAt);
                    waiting.Remove(taken!);
                    break;
            }

            Assert.Equal(waiting.Count, queue.Count);
        }
    }

    private bool IsAlive(Piece piece) => _time.GetElapsedTime(piece.EnqueuedAt) <= Patience;
}
