using System.Net;
using Gateway.Codec.Json;
using Gateway.Rest.Answers;
using Gateway.Transport.Hosting;
using Microsoft.AspNetCore.Http;

namespace Gateway.Rest.Tests.Answers;

/// <summary>The memory of an answer (R43).</summary>
public sealed class RestAnswerTests
{
    [Fact]
    public async Task Write_LongText_CountsItsBufferBeforeItIsSent()
    {
        var sender = Make(100_000_000);
        var answer = new RestAnswer(ContextOf(sender), JsonFormat.Compact, RestAnswer.Json);

        answer.Writer.WriteString(new string('x', 33_000_000));

        Assert.InRange(sender.HeldBytes, answer.Writer.CapacityBytes, long.MaxValue);
        Assert.InRange(answer.Writer.CapacityBytes, 33_000_000, int.MaxValue);
        await answer.EndAsync();
        answer.Dispose();
        Assert.Equal(0, sender.HeldBytes);
    }

    [Fact]
    public async Task Write_LongerThanThereIsMemoryFor_StopsThereAndIs503()
    {
        var sender = Make(10_000_000);
        var context = ContextOf(sender);
        var answer = new RestAnswer(context, JsonFormat.Compact, RestAnswer.Json);

        answer.Writer.WriteString(new string('x', 33_000_000));

        Assert.InRange(answer.Writer.CapacityBytes, 0, 1_000_000);
        await Assert.ThrowsAsync<AnswerEndedException>(answer.EndAsync);
        Assert.Equal(503, context.Response.StatusCode);
        answer.Dispose();
        Assert.Equal(0, sender.HeldBytes);
    }

    [Fact]
    public async Task End_TextOfTheUsualLength_NotCounted()
    {
        var sender = Make(0);
        var context = ContextOf(sender);
        using var answer = new RestAnswer(context, JsonFormat.Compact, RestAnswer.Json);

        answer.Writer.WriteString(new string('x', 60_000));
        await answer.EndAsync();

        Assert.Equal(200, context.Response.StatusCode);
        Assert.Equal(60_002, context.Response.Body.Length);
    }

    private static AnswerSender Make(long mostBytes) => new(
        new RestLimits { MaxHttpAnswersBytes = mostBytes }, new TransportLimits(), TimeProvider.System);

    private static DefaultHttpContext ContextOf(AnswerSender sender)
    {
        var context = new DefaultHttpContext();
        context.Connection.RemoteIpAddress = IPAddress.Loopback;
        context.Response.Body = new MemoryStream();
        context.Features.Set(sender);
        return context;
    }
}
