package encoder_test

import (
	"errors"
	"fmt"

	"github.com/webodar/webodar/encoder"
)

func ExampleEncode() {
	code, err := encoder.Encode("@startuml\nactor A\nactor B\nA --> B\n@enduml")
	if err != nil {
		panic(err)
	}
	fmt.Println(code)
	// Output: SoWkIImgAStDuKfCBialKd24qavSZWgwkdP0sY4rBmKe3m00
}

func ExampleURL() {
	url, code, err := encoder.URL("@startuml\nBob -> Alice : hello\n@enduml", &encoder.Options{
		BaseURL: "http://localhost:8080",
		Format:  "png",
	})
	if err != nil {
		panic(err)
	}
	fmt.Println(url)
	fmt.Println(code)
	// Output:
	// http://localhost:8080/png/SoWkIImgAStDuNBAJrBGjLDmpCbCJbMmKiX8pSd9vt98pKi1IW80
	// SoWkIImgAStDuNBAJrBGjLDmpCbCJbMmKiX8pSd9vt98pKi1IW80
}

func ExampleDecode() {
	text, err := encoder.Decode("https://www.plantuml.com/plantuml/uml/SoWkIImgAStDuNBAJrBGjLDmpCbCJbMmKiX8pSd9vt98pKi1IW80")
	if err != nil {
		panic(err)
	}
	fmt.Println(text)
	// Output:
	// @startuml
	// Bob -> Alice : hello
	// @enduml
}

func ExampleError() {
	_, err := encoder.Decode("SoWkIImgAStDuNBAJrBG=")
	var e *encoder.Error
	if errors.As(err, &e) {
		fmt.Println(e)
		fmt.Println(e.Reason, e.Offset)
		fmt.Println(e.Hint)
	}
	// Output:
	// decode: '=' at offset 20 is not in PlantUML's alphabet
	// character 20
	// this looks like ordinary Base64; a PlantUML code has another alphabet (0-9 A-Z a-z - _) and no padding
}

func ExampleOptions_Validate() {
	opts := &encoder.Options{Format: "SVG"}
	fmt.Println(opts.Validate())
	// Output: encode: format "SVG" is not one that PlantUML servers have
}
