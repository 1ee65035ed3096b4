using Gateway.Transport.Certificates;
using Gateway.Transport.Security;

namespace Gateway.Transport.Tests.Certificates;

/// <summary>What the README's openssl line makes is a user certificate that the gateway takes.</summary>
public sealed class OpensslUserTests
{
    /// <summary>By that very line, but for 36,500 days.</summary>
    private static readonly byte[] Anna = Convert.FromBase64String(
        """
        MIIDDjCCAfagAwIBAgIUIRvSHtrsCT0/hIr8Kt9HFGXty/EwDQYJKoZIhvcNAQELBQAwDzENMAsGA1UEAwwEYW5uYTAgFw0yNjEx
        MjIwNDU2MDhaGA8yMTI2MTAyOTA0NTYwOFowDzENMAsGA1UEAwwEYW5uYTCCASIwDQYJKoZIhvcNAQEBBQADggEPADCCAQoCggEB
        AKmpSTchrM9aJDuGC+taQzrA0bvTSj6OqU3EpUfLffCQXvQC7ST3F3oQtvyi7F5VYm87jaA8TI7vWm5OsDi6pcQKvThCjCyDYnBp
        7OULT5boToYNq4KmHlR7qmb7UBWNTbpaVX2ckI2Q74S5um3QKHM4LV6vptMjpoqQ6ZE0WBJEuRnxR1l3B5mwoLfclokovknT/j0K
        UXwYfSI0cK5AnjIVlmV/pvOmPwVG9E5JGHchsoEvz8SAya17ET7pGP8XJSxzN0X8+LNQ8X5cBQnYAb93yl2K+IhW2vnal50e15Y0
        pOvza9Sj0oQD/U/UC23okbKNMSyaNFlwDxSqcJwM4KECAwEAAaNgMF4wHQYDVR0OBBYEFDqwPqIiGlF3/RqG8jvA0rOovtNHMB8G
        A1UdIwQYMBaAFDqwPqIiGlF3/RqG8jvA0rOovtNHMAwGA1UdEwEB/wQCMAAwDgYDVR0PAQH/BAQDAgeAMA0GCSqGSIb3DQEBCwUA
        A4IBAQCXJBrFnupyQkh8njRUDTYVO9yWEc/lcPkuRAsU3DFecZo0HsxGv2d1+oJFLbebDef+UdArQ7QDFaaLdKALKVopyAexrzzK
        PidmC0IeJwM0dp2W4HJVdDksPMBx16u2zpgMFn3rS5bDI8ZLRH0MlvYv8A0GBE+6VplbRRaBOcfXFzFszBU8pbVd6jdWnfY0krzf
        1Vs/WkpOGsVgLj92/tWa/xgp4RfrsVY0/YO8Cq0jBTlMWwzwx7qMn55nS9GR378mLWPON6cUIgxzmSgA1bbSGLbeUkMz74Edo3hd
        TydcJ1FXUlv2pEygQe2fxPjUS9AbMJDom7Rr1iSPD8LF6J3E
        """);

    [Fact]
    public async Task Validate_CertificateOfTheReadme_AcceptedOnceItLiesInTrustedUser()
    {
        await using var pki = new TestPki();
        pki.Time.MoveWallClock(TimeSpan.FromDays(700));
        var options = new CertificateValidatorOptions { PeerRole = CertificatePeerRole.User };

        var before = pki.Validator(options).Validate(Anna, SecurityPolicies.Basic256Sha256, null);
        pki.Put("trustedUser/certs", Anna);
        var after = pki.Validator(options).Validate(Anna, SecurityPolicies.Basic256Sha256, null);

        Assert.Equal(CertificateFault.Untrusted, before.Fault);
        Assert.Equal(CertificateFault.None, after.Fault);
    }
}
