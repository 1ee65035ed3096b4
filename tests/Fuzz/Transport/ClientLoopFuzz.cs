using Gateway.Testing;
using Gateway.Transport.Conversation;
using Gateway.Transport.Hosting;
using Gateway.Transport.Tests.Support;

namespace Gateway.Fuzz.Transport;

/// <summary>The same for the client's loop: a server that talks nonsense.</summary>
public sealed class ClientLoopFuzz
{
    [Fact]
    public async Task Conversation_Spoilt_EndsTyped()
    {
        using var context = TransportContext.Standalone(new TransportLimits(), TimeProvider.System);
        var recorded = RecordedConversation.OfServer;
        var opened = 0;
        foreach (var bytes in Mutations.CutAtEachByte(recorded)
            .Concat(Mutations.EachBitFlipped(recorded))
            .Concat(Mutations.EachLengthHuge(recorded)))
            opened += await PlayAsync(context, bytes) ? 1 : 0;

        Assert.True(opened > 100);
        Assert.Equal(0, context.Counters.Closes(ChannelCloseReason.InternalError));
        Assert.Equal((0, 0), (context.Counters.Connections, context.Counters.SecureChannels));
        Assert.Equal(0, context.Budget.TotalBytes);
    }

    private static async Task<bool> PlayAsync(TransportContext context, byte[] bytes)
    {
        var (server, client) = PipeConnectionContext.CreatePair();
        var handler = new RecordingHandler();
        var options = new ClientChannelOptions { EndpointUrl = "opc.tcp://test:4840", Validator = null };
        var connecting = ClientChannel.OpenAsync(client, context, options, handler, default).AsTask();
        await server.Transport.Output.WriteAsync(bytes);
        await server.DisposeAsync();
        try
        {
            await connecting.WaitAsync(Patience.Limit);
        }
        catch (ChannelConnectException e)
        {
            Assert.True(e.Status.IsBad);
            return false;
        }

        await handler.Closed.WaitAsync(Patience.Limit);
        Assert.Single(handler.Closes);
        return true;
    }
}
