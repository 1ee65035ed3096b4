namespace Gateway.Codec.Structures;

[Flags]
public enum PasswordOptionsMask : uint
{
    None = 0,
    SupportInitialPasswordChange = 1,
    SupportDisableUser = 2,
    SupportDisableDeleteForUser = 4,
    SupportNoChangeForUser = 8,
    SupportDescriptionForUser = 0x10,
    RequiresUpperCaseCharacters = 0x20,
    RequiresLowerCaseCharacters = 0x40,
    RequiresDigitCharacters = 0x80,
    RequiresSpecialCharacters = 0x100,
}
