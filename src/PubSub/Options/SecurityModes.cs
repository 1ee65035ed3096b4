using Gateway.Codec.Structures;

namespace Gateway.PubSub.Options;

/// <summary>The security of groups, as the configuration names it.</summary>
internal static class SecurityModes
{
    private const int MaxGroupIdLength = 256;

    public static MessageSecurityMode Of(string text) => text switch
    {
        "Sign" => MessageSecurityMode.Sign,
        "SignAndEncrypt" => MessageSecurityMode.SignAndEncrypt,
        _ => MessageSecurityMode.None,
    };

    public static void Validate(
        OptionErrors errors, ISealedGroup group, string mode, bool isUadp, bool hasKeyServices)
    {
        errors.Demand(
            mode is "None" or "Sign" or "SignAndEncrypt", "SecurityMode",
            $"'{mode}' is none of None, Sign and SignAndEncrypt");
        errors.Demand(mode == "None" || isUadp, "SecurityMode", "JSON has no security of its own: use mqtts://");
        errors.Demand(
            mode == "None" || group.KeysPath.Length > 0 || group.SecurityGroupId.Length > 0, "KeysPath",
            "is empty: SecurityMode needs keys, or a SecurityGroupId");
        errors.Demand(
            group.KeysPath.Length == 0 || group.SecurityGroupId.Length == 0, "SecurityGroupId",
            "KeysPath is there, too: keys come from one of the two");
        errors.Demand(
            group.SecurityGroupId.Length == 0 || hasKeyServices, "SecurityGroupId",
            "there are no PubSub:KeyServices that would give its keys");
        errors.Demand(
            group.SecurityGroupId.Length <= MaxGroupIdLength, "SecurityGroupId",
            $"is longer than {MaxGroupIdLength} characters");
    }
}
