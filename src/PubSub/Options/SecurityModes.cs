using Gateway.Codec.Structures;

namespace Gateway.PubSub.Options;

/// <summary>The security of groups, as the configuration names it.</summary>
internal static class SecurityModes
{
    public static MessageSecurityMode Of(string text) => text switch
    {
        "Sign" => MessageSecurityMode.Sign,
        "SignAndEncrypt" => MessageSecurityMode.SignAndEncrypt,
        _ => MessageSecurityMode.None,
    };

    public static void Validate(OptionErrors errors, string mode, string keysPath, bool isUadp)
    {
        errors.Demand(
            mode is "None" or "Sign" or "SignAndEncrypt", "SecurityMode",
            $"'{mode}' is none of None, Sign and SignAndEncrypt");
        errors.Demand(mode == "None" || isUadp, "SecurityMode", "JSON has no security of its own: use mqtts://");
        errors.Demand(mode == "None" || keysPath.Length > 0, "KeysPath", "is empty: SecurityMode needs keys");
    }
}
