using System.Security.Cryptography;
using System.Text;
using Gateway.Codec.Structures;

namespace Gateway.Loadtest.Attacks.Upstream;

/// <summary>Somebody sits at an upstream's address, offers nothing but None with an encrypted user token, and shows a
/// certificate of his own to encrypt the password for.</summary>
internal sealed class UpstreamImpostorAttack : UpstreamAttack
{
    private const string Password = "the-plant's-password";
    private const int Discoveries = 4;

    public override string Name => "upstream-impostor";

    public override string Summary => "A fake upstream asks for the password: it never comes, and no node is served.";

    public override string Rules => "R45, R42";

    public override Task PrepareAsync(AttackSize size, CancellationToken cancellation) =>
        AddAsync(new ImpostorScript());

    public override Plant PlantOf(AttackSize size) => new()
    {
        Arguments =
        [
            .. Configure(0, "Asked", Servers[0].Url, "User=joe", $"Password={Password}"),
            .. Configure(1, "Open", Servers[0].Url, "User=joe", $"Password={Password}", "SecurityPolicy=None"),
        ],
    };

    public override async Task RunAsync(AttackContext context)
    {
        var services = Servers[0].Services;
        Arm();
        var before = services.Count<GetEndpointsRequest>();
        var asked = await AwaitAsync(
            context, () => Task.FromResult(
                services.Count<GetEndpointsRequest>() >= before + Discoveries || !services.Activations.IsEmpty));
        var report = await ReportAsync(context);
        var readable = services.Activations.Count(IsReadable);
        await LeaveAsync();

        context.Report.Add("discoveries that the impostor answered", services.Count<GetEndpointsRequest>());
        context.Report.AddFault("passwords that the impostor could read", readable);
        context.Report.AddFault("sessions that were asked of the impostor", services.Count<CreateSessionRequest>());
        context.Report.AddFault("upstreams not told as faulted", 2 - report.Count(one => one.State == "faulted"));
        if (!asked)
            context.Report.Fail("the gateway did not come to the impostor");
    }

    private bool IsReadable(ActivateSessionRequest request)
    {
        if (request.UserIdentityToken.Body is not UserNameIdentityToken { Password: { } secret })
            return false;
        try
        {
            var plain = Servers[0].Certificate.PrivateKey.Decrypt(secret, RSAEncryptionPadding.OaepSHA1);
            return Encoding.UTF8.GetString(plain).Contains(Password, StringComparison.Ordinal);
        }
        catch (CryptographicException)
        {
            return false;
        }
    }
}
