using System.Threading.Channels;
using Gateway.Codec.Types;
using Gateway.PubSub.KeyServices;
using Gateway.PubSub.Options;
using Gateway.PubSub.Uadp.Security;
using Gateway.Testing;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.PubSub.Tests.KeyServices;

/// <summary>When services are asked, which keys are in use, and what remains of them in an outage.</summary>
public sealed class ServiceSecurityKeysTests : IAsyncLifetime, IDisposable
{
    private static readonly KeyServiceOptions First = new() { EndpointUrl = "opc.tcp://first" };
    private static readonly KeyServiceOptions Second = new() { EndpointUrl = "opc.tcp://second" };

    private static readonly PubSubLimits Limits = new() { PubSubKeyPullPause = TimeSpan.FromSeconds(7) };

    private readonly ManualTimeProvider _time = new();
    private readonly Services _services = new();
    private ServiceSecurityKeys? _keys;

    public Task InitializeAsync() => Task.CompletedTask;

    public async Task DisposeAsync()
    {
        if (_keys is null)
            return;
        _keys.Dispose();
        await _keys.Loop.WaitAsync(Patience.Limit);
    }

    public void Dispose() => _keys?.Dispose();

    /// <summary>By the monotonic clock: the wall clock may jump (R28).</summary>
    [Fact]
    public async Task Keys_ChangeWhenTheyAreDue_TheOneBeforeStillOpens()
    {
        Start(First);
        await AnswerAsync(7, toNextMs: 10_000, lifetimeMs: 20_000);
        Assert.Equal(7u, Used);

        _time.MoveWallClock(TimeSpan.FromDays(3650));
        Assert.Equal(7u, Used);
        _time.MoveWallClock(TimeSpan.FromDays(-7300));
        _time.Advance(9_999);
        Assert.Equal(7u, Used);
        Assert.NotNull(_keys!.Current!.Find(8));
        _time.Advance(1);
        Assert.Equal(8u, Used);
        Assert.NotNull(_keys.Current!.Find(7));
        _time.Advance(20_000);
        Assert.Equal(9u, Used);
        Assert.Null(_keys.Current!.Find(7));
    }

    /// <summary>Messages of the key before may still wait in a broker.</summary>
    [Fact]
    public void Keys_FetchedBehindAChange_TheOneBeforeStillOpens()
    {
        var first = new HeldKeys(
            AnswerOf(7, 10_000, 20_000, PubSubSecurityPolicy.Aes256Ctr), null, _time.GetTimestamp(), _time);
        _time.Advance(10_000);
        var answer = AnswerOf(8, 20_000, 20_000, PubSubSecurityPolicy.Aes256Ctr);

        var next = new HeldKeys(answer, first.Before(answer), _time.GetTimestamp(), _time);

        Assert.Equal(8u, next.Current!.CurrentAt(_time.GetUtcNow().UtcDateTime)?.TokenId);
        Assert.NotNull(next.Current!.Find(7));
    }

    /// <summary>An outage of all services: the last key ends as all do, and then nothing is sealed.</summary>
    [Fact]
    public async Task Keys_NobodyGivesMore_NoneToSendWith()
    {
        Start(First);
        await AnswerAsync(7, toNextMs: 10_000, lifetimeMs: 20_000);

        _time.Advance(49_999);
        Assert.Equal(9u, Used);
        _time.Advance(1);
        Assert.Null(Used);
        Assert.NotNull(_keys!.Current!.Find(9));
        _time.Advance(20_000);
        Assert.Null(_keys.Current);
    }

    /// <summary>Before the key ends, and at half of its lifetime at the latest.</summary>
    [Theory]
    [InlineData(10_000, 60_000, 9_000)]
    [InlineData(60_000, 60_000, 30_000)]
    [InlineData(0, 0, 1_000)]
    [InlineData(1e12, 1e12, 3_600_000)]
    public void NextOf_Answer_IsBeforeItsKeyEnds(double toNextMs, double lifetimeMs, double afterMs) => Assert.Equal(
        afterMs, ServiceSecurityKeys.NextOf(AnswerOf(7, toNextMs, lifetimeMs, PubSubSecurityPolicy.Aes256Ctr))
            .TotalMilliseconds);

    [Fact]
    public void Twice_OfARetry_UpToAMinute()
    {
        var retry = TimeSpan.FromSeconds(1);
        var pauses = Enumerable.Range(0, 8).Select(_ => (retry = ServiceSecurityKeys.Twice(retry)).TotalSeconds);

        Assert.Equal([2.0, 4, 8, 16, 32, 60, 60, 60], pauses);
    }

    [Fact]
    public async Task FirstFails_SecondIsAsked_AndTheFirstAgainNextTime()
    {
        Start(First, Second);
        (await _services.NextAsync()).Fail(KeyServiceProblem.Untrusted);
        var second = await _services.NextAsync();
        Assert.Equal(Second, second.Service);
        second.Answer(7, 10_000, 20_000);
        Until(() => _keys!.Fetches == 1);

        var again = _services.NextAsync();
        AdvanceUntil(again);

        Assert.Equal(First, (await again).Service);
        Assert.Equal((1, 0), (_keys!.Of(KeyServiceProblem.Untrusted), _keys.Of(KeyServiceProblem.Unreachable)));
    }

    [Fact]
    public async Task AllFail_TheyAreAskedAgain()
    {
        Start(First, Second);
        for (var i = 0; i < 4; i++)
        {
            var question = _services.NextAsync();
            AdvanceUntil(question);
            (await question).Fail(KeyServiceProblem.Unreachable);
        }

        Until(() => _keys!.Of(KeyServiceProblem.Unreachable) == 4);
        Assert.Null(_keys!.Current);
        Assert.Equal(0, _keys.Fetches);
    }

    /// <summary>Anybody's message may ask, however often.</summary>
    [Fact]
    public async Task RequestRefresh_Often_OnceInThePause()
    {
        // So long that no key ends while the clock is moved, however far it runs ahead on a busy machine.
        const int lifetimeMs = 1_000_000_000;
        Start(First);
        await AnswerAsync(7, toNextMs: lifetimeMs, lifetimeMs: lifetimeMs);
        var question = _services.NextAsync();
        for (var i = 0; i < 100; i++)
            _keys!.RequestRefresh();

        while (_time.Elapsed < Limits.PubSubKeyPullPause - TimeSpan.FromMilliseconds(50))
            _time.Advance(50);
        Assert.False(question.IsCompleted);
        AdvanceUntil(question);

        (await question).Answer(8, lifetimeMs, lifetimeMs);
        Until(() => _keys!.Fetches == 2);
        Assert.Equal(8u, Used);
        Assert.NotNull(_keys!.Current!.Find(7));
    }

    /// <summary>A service that has lost its keys begins with the same numbers.</summary>
    [Fact]
    public async Task SameNumberOtherKey_TheNewOneCounts()
    {
        Start(First);
        await AnswerAsync(7, toNextMs: 10_000, lifetimeMs: 20_000);
        var before = _keys!.Current!.Find(7)!.Fingerprint;

        var question = _services.NextAsync();
        AdvanceUntil(question);
        (await question).Answer(7, 10_000, 20_000, seed: 100);
        Until(() => _keys!.Fetches == 2);

        Assert.NotEqual(before, _keys.Current!.Find(7)!.Fingerprint);
        Assert.Equal(7u, Used);
    }

    [Fact]
    public async Task OtherPolicy_OldKeysGo()
    {
        Start(First);
        await AnswerAsync(7, toNextMs: 10_000, lifetimeMs: 20_000);

        var question = _services.NextAsync();
        AdvanceUntil(question);
        (await question).Answer(8, 10_000, 20_000, PubSubSecurityPolicy.Aes128Ctr);
        Until(() => _keys!.Fetches == 2);

        Assert.Equal(PubSubSecurityPolicy.Aes128Ctr, _keys!.Current!.Policy);
        Assert.Null(_keys.Current.Find(7));
    }

    private uint? Used => _keys!.Current?.CurrentAt(_time.GetUtcNow().UtcDateTime)?.TokenId;

    private void Start(params KeyServiceOptions[] services) =>
        _keys = new ServiceSecurityKeys("plant", services, Limits, _services, _time, NullLogger.Instance);

    private async Task AnswerAsync(uint token, double toNextMs, double lifetimeMs)
    {
        (await _services.NextAsync()).Answer(token, toNextMs, lifetimeMs);
        Until(() => _keys!.Fetches == 1);
    }

    /// <summary>The loop sets its timer on a thread of its own, at some time.</summary>
    private void AdvanceUntil(Task task) => Until(() =>
    {
        if (!task.IsCompleted)
            _time.Advance(50);
        return task.IsCompleted;
    });

    private static void Until(Func<bool> holds)
    {
        using CancellationTokenSource patience = new(Patience.Limit);
        while (!holds())
            patience.Token.ThrowIfCancellationRequested();
    }

    private static SecurityKeysAnswer AnswerOf(
        uint token, double toNextMs, double lifetimeMs, PubSubSecurityPolicy policy, byte seed = 0)
    {
        var keys = Enumerable.Range(0, 3).Select(
            i => SecurityKeysAnswerTests.Key((byte)(token + seed + i))[..policy.KeyDataBytes]).ToArray();
        return SecurityKeysAnswer.Of(SecurityKeysAnswerTests.Outputs(
            policy.Uri, new Variant(token), keys, new Variant(toNextMs), new Variant(lifetimeMs)));
    }

    /// <summary>Each question waits for its answer.</summary>
    private sealed class Services : ISecurityKeyClient
    {
        private readonly Channel<Question> _questions = Channel.CreateUnbounded<Question>();

        public Task<Question> NextAsync() =>
            _questions.Reader.ReadAsync().AsTask().WaitAsync(Patience.Limit);

        public Task<SecurityKeysAnswer> GetAsync(
            KeyServiceOptions service, string securityGroup, uint count, CancellationToken cancellation)
        {
            var question = new Question(service, cancellation);
            _questions.Writer.TryWrite(question);
            return question.Task;
        }
    }

    private sealed class Question
    {
        private readonly TaskCompletionSource<SecurityKeysAnswer> _answer =
            new(TaskCreationOptions.RunContinuationsAsynchronously);

        public Question(KeyServiceOptions service, CancellationToken cancellation)
        {
            Service = service;
            cancellation.Register(() => _answer.TrySetCanceled(cancellation));
        }

        public KeyServiceOptions Service { get; }

        public Task<SecurityKeysAnswer> Task => _answer.Task;

        public void Answer(
            uint token, double toNextMs, double lifetimeMs, PubSubSecurityPolicy? policy = null, byte seed = 0) =>
            _answer.SetResult(AnswerOf(
                token, toNextMs, lifetimeMs, policy ?? PubSubSecurityPolicy.Aes256Ctr, seed));

        public void Fail(KeyServiceProblem problem) => _answer.SetException(new KeyServiceException(problem, "no"));
    }
}
