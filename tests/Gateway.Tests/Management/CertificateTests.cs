using System.Net.Http.Headers;
using System.Text;
using System.Text.Json;
using Gateway.Client;
using Gateway.Client.Sessions;
using Gateway.Codec.Types;
using Gateway.Server;
using Gateway.Testing;
using Gateway.Tests.Hosting;
using Gateway.Tests.Logging;
using Gateway.Tests.Rest;
using Gateway.Tests.Trust;
using Gateway.Transport.Hosting;
using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.Logging;

namespace Gateway.Tests.Management;

/// <summary>Certificates over HTTP, against a gateway with safe defaults and clients with certificates of their own.
/// </summary>
public sealed class CertificateTests : IAsyncLifetime, IAsyncDisposable
{
    private readonly PlantPki _pki = new();
    private readonly LogLines _log = new();
    private WebApplication? _application;
    private HttpClient? _admin;

    public Task InitializeAsync() => Task.CompletedTask;

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    public async ValueTask DisposeAsync()
    {
        _admin?.Dispose();
        if (_application is not null)
            await _application.DisposeAsync();
        _pki.Dispose();
    }

    /// <summary>Rejected, listed with the reason, trusted, connected, rejected again, thrown out.</summary>
    [Fact]
    public async Task Client_TrustedAndRejectedByPost_ComesInAndIsThrownOut()
    {
        var members = _pki.Make(2);
        var (stranger, friend) = (members[0], members[1]);
        _pki.Withdraw([stranger]);
        await StartAsync();
        using var crowd = new Crowd(_application!.Get<UaTcpOptions>().EndPoint.Port);
        var stays = (await crowd.OpenAsync([friend]))[friend];

        var kept = KeptFileAsync();
        var refused = await Assert.ThrowsAsync<ServiceException>(() => crowd.OpenAsync([stranger]));
        Assert.Equal(StatusCodes.BadSecurityChecksFailed, refused.Status.Code);
        await kept.WaitAsync(Patience.Limit);

        var listed = Assert.Single(await ListAsync("rejected"));
        Assert.Equal(stranger.Thumbprint, listed.GetProperty("thumbprint").GetString());
        Assert.Equal("CN=client0", listed.GetProperty("subject").GetString());
        Assert.StartsWith(
            "Untrusted, nobody has trusted it yet", listed.GetProperty("reason").GetString(), StringComparison.Ordinal);

        var trusted = await PostAsync(stranger.Thumbprint, "trust");
        Assert.Equal("trusted", trusted.GetProperty("store").GetString());
        Assert.Empty(await ListAsync("rejected"));
        var session = (await crowd.OpenAsync([stranger]))[stranger];
        Assert.True(session.IsOpen);

        var rejected = await PostAsync(stranger.Thumbprint, "reject");
        Assert.Equal("rejected", rejected.GetProperty("store").GetString());
        Assert.Equal("an operator has rejected it", rejected.GetProperty("reason").GetString());
        Assert.Equal(
            StatusCodes.BadSecurityChecksFailed, (await session.Closed.WaitAsync(Patience.Limit)).Code);
        Assert.True(stays.IsOpen);
        await Assert.ThrowsAsync<ServiceException>(() => crowd.OpenAsync([stranger]));

        Assert.Contains(_log.Lines, line => line ==
            $"Audit CertificateMoved: Good user \"admin\" by HTTP from 127.0.0.1: trusted {stranger.Thumbprint} "
            + "\"CN=client0\" in trusted");
        Assert.Contains(_log.Lines, line => line.Contains(
            $": rejected {stranger.Thumbprint} ", StringComparison.Ordinal));
    }

    /// <summary>A user's certificate is not the channel's: the session has to end by itself.</summary>
    [Fact]
    public async Task User_RejectedByPost_SessionsEnd()
    {
        var members = _pki.Make(2);
        var (user, application) = (members[0], members[1]);
        var folder = Directory.CreateDirectory(Path.Combine(_pki.Folder, "trustedUser", "certs"));
        await File.WriteAllBytesAsync(Path.Combine(folder.FullName, "user.der"), user.Der);
        _pki.Withdraw([user]);
        await StartAsync();
        using var crowd = new Crowd(_application!.Get<UaTcpOptions>().EndPoint.Port);
        var session = (await crowd.OpenAsync([application], ClientIdentity.Certificate(user.Certificate)))[application];

        var rejected = await PostAsync(user.Thumbprint, "reject");

        Assert.Equal("rejected", rejected.GetProperty("store").GetString());
        Assert.Equal(0, _application!.Get<GatewayServer>().SessionCount);
        Assert.True(session.IsOpen);
        user.Dispose();
    }

    [Fact]
    public async Task Own_TrustedRejectedOrDeleted_Conflict()
    {
        await StartAsync();
        var own = Assert.Single(await ListAsync("own")).GetProperty("thumbprint").GetString()!;

        foreach (var (method, path) in new[]
        {
            (HttpMethod.Post, $"/api/v1/certificates/{own}/trust"),
            (HttpMethod.Post, $"/api/v1/certificates/{own}/reject"),
            (HttpMethod.Delete, $"/api/v1/certificates/{own}"),
        })
        {
            using var request = new HttpRequestMessage(method, path);
            using var answer = await _admin!.SendAsync(request);
            Assert.Equal(409, (int)answer.StatusCode);
        }

        Assert.Single(await ListAsync("own"));
    }

    [Fact]
    public async Task Trusted_Deleted_Gone()
    {
        var client = _pki.Make(1)[0];
        await StartAsync();

        using var answer = await _admin!.DeleteAsync(
            new Uri("/api/v1/certificates/" + client.Thumbprint.ToLowerInvariant(), UriKind.Relative));

        Assert.Equal(204, (int)answer.StatusCode);
        Assert.DoesNotContain(
            await ListAsync("trusted"), one => one.GetProperty("thumbprint").GetString() == client.Thumbprint);
        client.Dispose();
    }

    [Theory]
    [InlineData("?store=private", "store: expected")]
    [InlineData("?cursor=%25", "cursor: expected")]
    [InlineData("?fields=key", "fields: expected")]
    public async Task List_BadQuery_ProblemSaysWhatWasExpected(string query, string detail)
    {
        await StartAsync();

        var (status, problem) = await RestGateway.GetAsync(_admin!, "/api/v1/certificates" + query);

        Assert.Equal(400, status);
        Assert.StartsWith(detail, problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
    }

    /// <summary>No name of a file comes from a request (R23).</summary>
    [Theory]
    [InlineData("..%2F..%2Fown")]
    [InlineData("0123456789ABCDEF0123456789ABCDEF0123456G")]
    [InlineData("%07")]
    public async Task Certificate_NoThumbprint_NotFound(string text)
    {
        await StartAsync();

        using var answer = await _admin!.DeleteAsync(new Uri("/api/v1/certificates/" + text, UriKind.Relative));

        Assert.Equal(404, (int)answer.StatusCode);
        Assert.Single(await ListAsync("own"));
    }

    private async Task StartAsync()
    {
        _application = Composition.Build(
            $"--Pki:Path={_pki.Folder}", "--Simulator:Enabled=false", "--Users:0:Name=admin",
            "--Users:0:Password=horse", "--Users:0:Roles:0=SecurityAdmin");
        _application.Get<ILoggerFactory>().AddProvider(_log);
        await _application.StartAsync();
        _admin = new HttpClient { BaseAddress = Composition.HttpOf(_application) };
        _admin.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue(
            "Basic", Convert.ToBase64String(Encoding.UTF8.GetBytes("admin:horse")));
    }

    /// <summary>The gateway writes rejected certificates behind its answer to the client.</summary>
    private async Task KeptFileAsync()
    {
        var kept = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        using var watcher = new FileSystemWatcher(Path.Combine(_pki.Folder, "rejected", "certs"), "*.der");
        watcher.Renamed += (_, _) => kept.TrySetResult();
        watcher.EnableRaisingEvents = true;
        await kept.Task;
    }

    private async Task<List<JsonElement>> ListAsync(string store)
    {
        var (status, json) = await RestGateway.GetAsync(_admin!, "/api/v1/certificates?store=" + store);
        Assert.Equal(200, status);
        return [.. json.GetProperty("certificates").EnumerateArray()];
    }

    private async Task<JsonElement> PostAsync(string thumbprint, string verb)
    {
        using var answer = await _admin!.PostAsync(
            new Uri($"/api/v1/certificates/{thumbprint}/{verb}", UriKind.Relative), null);
        var json = await RestGateway.JsonOf(answer);
        Assert.True((int)answer.StatusCode == 200, json.ToString());
        return json;
    }
}
