using System.Globalization;
using System.Net;
using System.Net.Http.Json;
using System.Net.Sockets;
using System.Text;
using System.Text.Json;
using Gateway.Interop.Admission;
using Gateway.Interop.Gateways;
using Gateway.Testing;

namespace Gateway.Interop.BadInput.Http;

/// <summary>Spoilt requests at the running program's HTTP listener: each gets an answer that says what is wrong, the
/// program keeps its memory, and nobody else notices.</summary>
public sealed class HttpFuzzTests
{
    private const int Cases = 2500;
    private const int MostGrowthMiB = 128;

    /// <summary>No valid HTTP: the web server answers by itself, without a body.</summary>
    private static readonly int[] Bodiless = [400, 408, 414, 431];

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public async Task Requests_SpoiltAtRandom_GetAnAnswerWithAStatusCodeAndHarmNobody(int seed)
    {
        using TemporaryFolder folder = new();
        await using GatewayProcess gateway = await GatewayProcess.StartAsync(
            folder, "--demo", "--Limits:MaxHttpConnectionsPerSecond=100000",
            "--Limits:MaxHttpConnectionsPerSecondPerAddress=100000");
        HttpCases cases = new(seed);
        await RunAsync(gateway, cases, Cases / 5);
        long before = ProcessFacts.ResidentBytes(gateway.ProcessId);

        await RunAsync(gateway, cases, Cases);

        Assert.False(gateway.HasEnded, gateway.Output);
        Assert.DoesNotContain("Unhandled", gateway.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("failed", gateway.Output, StringComparison.Ordinal);
        long growth = (ProcessFacts.ResidentBytes(gateway.ProcessId) - before) / 1024 / 1024;
        Assert.True(growth < MostGrowthMiB, $"{growth} MiB more");
        using HttpClient good = new() { BaseAddress = new($"http://127.0.0.1:{gateway.HttpPort}") };
        JsonElement read = await good.GetFromJsonAsync<JsonElement>("/api/v1/values?node=i%3D2258");
        Assert.Equal("Good", read.GetProperty("values")[0].GetProperty("status").GetString());
    }

    private static async Task RunAsync(GatewayProcess gateway, HttpCases cases, int count)
    {
        for (int i = 0; i < count; i++)
        {
            HttpCase one = cases.Next();
            string answer = await AskAsync(gateway.HttpPort, one);
            Assert.True(IsRight(one, answer), $"{Encoding.Latin1.GetString(one.Bytes)}\n--\n{answer}");
        }
    }

    private static bool IsRight(HttpCase one, string answer)
    {
        if (answer.Length == 0)
            return one.IsCut;
        if (!answer.StartsWith("HTTP/1.1 ", StringComparison.Ordinal))
            return false;
        int status = int.Parse(answer.AsSpan(9, 3), CultureInfo.InvariantCulture);
        string body = answer[(answer.IndexOf("\r\n\r\n", StringComparison.Ordinal) + 4)..];
        if (status is 500 or 502 or 504)
            return false;
        if (status < 400 || one.Method == "HEAD")
            return true;
        if (body.Length == 0)
            return Bodiless.Contains(status) || !IsOurs(one.Path);
        return body.Contains("\"statusCode\":\"Bad", StringComparison.Ordinal) ||
            body.Contains("\"ServiceResult\":", StringComparison.Ordinal);
    }

    /// <summary>Elsewhere, also where dots lead out of it, the web server says that there is nothing.</summary>
    private static bool IsOurs(string path) =>
        (path.StartsWith("/api/", StringComparison.Ordinal) || path.StartsWith("/opcua/", StringComparison.Ordinal)) &&
        !path.Contains("..", StringComparison.Ordinal) && !path.Contains("%2e", StringComparison.Ordinal);

    /// <summary>The answer, or what there is of it when the connection ends; of a stream its beginning.</summary>
    private static async Task<string> AskAsync(int port, HttpCase one)
    {
        using CancellationTokenSource patience = new(Patience.Limit);
        using Socket socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        await socket.ConnectAsync(IPAddress.Loopback, port, patience.Token);
        StringBuilder answer = new();
        byte[] bytes = new byte[16 * 1024];
        try
        {
            await socket.SendAsync(one.Bytes, patience.Token);
            if (one.IsCut)
                socket.Shutdown(SocketShutdown.Send);
            while (!IsWhole(answer.ToString(), one.Method == "HEAD"))
            {
                int count = await socket.ReceiveAsync(bytes, patience.Token);
                if (count == 0)
                    break;
                answer.Append(Encoding.Latin1.GetString(bytes, 0, count));
            }
        }
        catch (SocketException)
        {
            // It was closed before all was sent; what came before that counts.
        }

        return answer.ToString();
    }

    private static bool IsWhole(string answer, bool hasNoBody)
    {
        int end = answer.IndexOf("\r\n\r\n", StringComparison.Ordinal);
        if (end < 0)
            return false;
        string head = answer[..end];
        string body = answer[(end + 4)..];
        if (hasNoBody || head.Contains("text/event-stream", StringComparison.Ordinal) ||
            head.StartsWith("HTTP/1.1 304", StringComparison.Ordinal))
            return true;
        if (head.Contains("Transfer-Encoding: chunked", StringComparison.Ordinal))
            return body.EndsWith("0\r\n\r\n", StringComparison.Ordinal);
        int length = head.IndexOf("Content-Length: ", StringComparison.Ordinal);
        return length >= 0 && body.Length >= int.Parse(
            head[(length + 16)..].Split('\r')[0], CultureInfo.InvariantCulture);
    }
}
