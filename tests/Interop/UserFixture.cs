using Gateway.Interop.Gateways;

namespace Gateway.Interop;

/// <summary>A gateway with users of each kind; clients' certificates are trusted, None is offered.</summary>
public sealed class UserFixture() : GatewayFixture(
    "--Pki:AutoTrust=true",
    "--OpcUa:SecurityPolicies:0=None", "--OpcUa:SecurityPolicies:1=Basic256Sha256",
    "--OpcUa:SecurityPolicies:2=Aes128_Sha256_RsaOaep", "--OpcUa:SecurityPolicies:3=Aes256_Sha256_RsaPss",
    "--Users:0:Name=operator", "--Users:0:Password=correct horse", "--Users:0:Roles:0=Operator",
    "--Users:1:Name=watcher", "--Users:1:Password=battery", "--Users:1:Roles:0=Observer")
{
    internal TestCertificate User { get; private set; } = null!;

    internal TestCertificate Stranger { get; private set; } = null!;

    protected override IEnumerable<string> ConfigureOptions()
    {
        User = TestCertificate.ForUser(Folder.Path, "engineer");
        Stranger = TestCertificate.ForUser(Folder.Path, "stranger");
        return
        [
            "--Users:2:Name=engineer", $"--Users:2:CertificateThumbprint={User.Thumbprint}",
            "--Users:2:Roles:0=Engineer", "--Users:2:Roles:1=Operator",
            "--Users:3:Name=auditor", "--Users:3:Password=ledger", "--Users:3:Roles:0=SecurityAdmin",
        ];
    }
}
