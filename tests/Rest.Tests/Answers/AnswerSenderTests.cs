using System.Net;
using System.Text;
using Gateway.Admission.Door;
using Gateway.Rest.Answers;
using Gateway.Testing;
using Gateway.Transport.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;

namespace Gateway.Rest.Tests.Answers;

/// <summary>Clients that take an answer slowly, or not at all.</summary>
public sealed class AnswerSenderTests
{
    private static readonly TransportLimits Transport = new();

    private readonly ManualTimeProvider _time = new();

    [Fact]
    public async Task Send_LongText_LeavesInSlices()
    {
        var client = new Client { IsTaking = true };
        var text = Encoding.ASCII.GetBytes(new string('x', 200_000));

        await Make().SendAsync(client.Context, text, CancellationToken.None);

        Assert.All(client.Slices, slice => Assert.InRange(slice, 1, AnswerSender.SliceBytes));
        Assert.Equal(text.Length, client.Slices.Sum());
    }

    [Fact]
    public async Task Send_ClientThatTakesNothing_ItsConnectionEndsAtWriteDeadline()
    {
        var sender = Make();
        var client = new Client();
        var sending = sender.SendAsync(client.Context, new byte[200_000], CancellationToken.None).AsTask();
        Assert.Equal(200_000, sender.HeldBytes);

        _time.Advance(Transport.WriteDeadline - TimeSpan.FromMilliseconds(1));
        Assert.False(client.IsAborted);
        _time.Advance(TimeSpan.FromMilliseconds(1));

        await Assert.ThrowsAsync<AnswerEndedException>(() => sending).WaitAsync(Patience.Limit);
        Assert.True(client.IsAborted);
        Assert.Equal((1, 0), (sender.Late, sender.HeldBytes));
    }

    /// <summary>With HTTP/2 the connection goes on: each answer that the sender ends is counted.</summary>
    [Fact]
    public async Task Send_AnswersOfOneConnectionThatTakesNothing_EachIsCounted()
    {
        var sender = Make();
        var place = new HttpPlace(IPAddress.Loopback, static () => { });
        for (var i = 1; i <= 2; i++)
        {
            var client = new Client();
            client.Context.Features.Set(place);
            var sending = sender.SendAsync(client.Context, new byte[200_000], CancellationToken.None).AsTask();
            _time.Advance(Transport.WriteDeadline);

            await Assert.ThrowsAsync<AnswerEndedException>(() => sending).WaitAsync(Patience.Limit);
            Assert.Equal(i, sender.Late);
        }
    }

    /// <summary>Each slice has the whole time: only one that takes nothing is ended.</summary>
    [Fact]
    public async Task Send_ClientThatTakesASliceNowAndThen_GetsAll()
    {
        var client = new Client();
        var sending = Make().SendAsync(client.Context, new byte[5 * AnswerSender.SliceBytes], CancellationToken.None)
            .AsTask();
        for (var i = 1; i <= 5; i++)
        {
            await client.Written.WaitAsync(Patience.Limit);
            _time.Advance(Transport.WriteDeadline - TimeSpan.FromMilliseconds(1));
            client.Take();
        }

        await sending.WaitAsync(Patience.Limit);
        Assert.False(client.IsAborted);
    }

    [Fact]
    public async Task Send_MoreThanMaxHttpAnswersBytes_503UntilTheOthersHaveTheirs()
    {
        var sender = Make(new RestLimits { MaxHttpAnswersBytes = 300_000 });
        var (slow, second, third) = (new Client(), new Client { IsTaking = true }, new Client { IsTaking = true });
        var sending = sender.SendAsync(slow.Context, new byte[200_000], CancellationToken.None).AsTask();

        await Assert.ThrowsAsync<AnswerEndedException>(
            () => sender.SendAsync(second.Context, new byte[200_000], CancellationToken.None).AsTask());
        // Those of the usual length are not counted.
        await sender.SendAsync(third.Context, new byte[60_000], CancellationToken.None);

        Assert.Equal(503, second.Context.Response.StatusCode);
        Assert.Equal(1, sender.Refused);
        slow.IsTaking = true;
        slow.Take();
        await sending.WaitAsync(Patience.Limit);
        Assert.Equal(0, sender.HeldBytes);
    }

    private AnswerSender Make(RestLimits? limits = null) => new(limits ?? new RestLimits(), Transport, _time);

    /// <summary>A connection whose client takes a slice when the test says so.</summary>
    private sealed class Client : MemoryStream, IHttpRequestLifetimeFeature
    {
        private readonly CancellationTokenSource _aborted = new();
        private TaskCompletionSource _taken = New();
        private TaskCompletionSource _written = New();

        public Client()
        {
            Context = new DefaultHttpContext();
            Context.Features.Set<IHttpRequestLifetimeFeature>(this);
            Context.Connection.RemoteIpAddress = IPAddress.Loopback;
            Context.Response.Body = this;
        }

        public DefaultHttpContext Context { get; }

        public bool IsTaking { get; set; }

        public bool IsAborted => _aborted.IsCancellationRequested;

        public List<int> Slices { get; } = [];

        public Task Written => _written.Task;

        public CancellationToken RequestAborted
        {
            get => _aborted.Token;
            set => throw new NotSupportedException();
        }

        public void Take()
        {
            var taken = _taken;
            (_taken, _written) = (New(), New());
            taken.SetResult();
        }

        public void Abort()
        {
            _aborted.Cancel();
            _taken.TrySetCanceled();
        }

        public override async ValueTask WriteAsync(
            ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
        {
            Slices.Add(buffer.Length);
            if (IsTaking)
                return;
            var taken = _taken.Task;
            _written.TrySetResult();
            await taken;
        }

        private static TaskCompletionSource New() => new(TaskCreationOptions.RunContinuationsAsynchronously);
    }
}
